//! Which kernels a source file defines, and what their parameters are called.

use tree_sitter::{Node, Parser};

/// A `__global__` function of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelSource {
    /// Without namespaces.
    pub name: String,
    /// Empty for a parameter without a name.
    pub parameters: Vec<String>,
    pub template: bool,
    /// 1-based.
    pub line: u32,
}

/// The kernels defined in `text`, in order.
pub fn kernels_in(text: &str) -> Vec<KernelSource> {
    let mut parser = Parser::new();
    let language = tree_sitter_cuda::LANGUAGE.into();
    let tree = parser.set_language(&language).ok().and_then(|()| parser.parse(text, None));
    let mut found = Vec::new();
    if let Some(tree) = tree {
        let mut waiting = vec![(tree.root_node(), false)];
        while let Some((node, template)) = waiting.pop() {
            if node.kind() == "function_definition" {
                found.extend(kernel(node, template, text));
                continue;
            }
            let template = template || node.kind() == "template_declaration";
            let mut cursor = node.walk();
            waiting.extend(node.children(&mut cursor).map(|child| (child, template)));
        }
    }
    found.sort_by_key(|kernel| kernel.line);
    found
}

fn kernel(node: Node, template: bool, text: &str) -> Option<KernelSource> {
    let head = text.get(node.byte_range())?.split('{').next()?;
    if !head.contains("__global__") {
        return None;
    }
    let declarator = find(node.child_by_field_name("declarator")?, "function_declarator")?;
    let name = declarator.child_by_field_name("declarator")?;
    let list = declarator.child_by_field_name("parameters")?;
    let mut cursor = list.walk();
    let parameters = list
        .named_children(&mut cursor)
        .filter(|child| matches!(child.kind(), "parameter_declaration" | "optional_parameter_declaration"))
        .map(|child| {
            let inner = child.child_by_field_name("declarator");
            let name = inner.and_then(|inner| find(inner, "identifier"));
            name.and_then(|name| text.get(name.byte_range())).unwrap_or_default().to_owned()
        })
        .collect();
    Some(KernelSource {
        name: text.get(name.byte_range())?.to_owned(),
        parameters,
        template,
        line: node.start_position().row as u32 + 1,
    })
}

/// The first node of a kind, in the node itself or below.
fn find<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    if node.kind() == kind {
        return Some(node);
    }
    let mut cursor = node.walk();
    let children: Vec<Node> = node.children(&mut cursor).collect();
    children.into_iter().find_map(|child| find(child, kind))
}

/// The identifier of a kernel's C++ name: `ns::scan<256>` and `ns::scan(int*)` are `scan`.
pub fn base_name(kernel: &str) -> &str {
    let plain = kernel.split(['<', '(']).next().unwrap_or(kernel).trim();
    plain.rsplit("::").next().unwrap_or(plain).trim()
}

/// The names of a kernel's parameters, of which there are `count`: with overloads that tells which one it is.
pub fn parameters(defined: &[KernelSource], kernel: &str, count: usize) -> Vec<String> {
    let named = defined.iter().filter(|known| known.name == base_name(kernel));
    let found = named.clone().find(|known| known.parameters.len() == count).or_else(|| named.clone().next());
    found.map(|known| known.parameters.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_kernels_and_their_parameters() {
        let text = "__device__ int f(int a) { return a; }\n\
                    namespace n { template <int N> __global__ void scan(const float* __restrict__ in, float *out, size_t n) {} }\n\
                    extern \"C\" __global__ void __launch_bounds__(32) k(int (&a)[4], int) { }\n";
        let kernels = kernels_in(text);
        assert_eq!(kernels.len(), 2, "{kernels:?}");
        assert_eq!((kernels[0].name.as_str(), kernels[0].template, kernels[0].line), ("scan", true, 2));
        assert_eq!(kernels[0].parameters, ["in", "out", "n"]);
        assert_eq!(kernels[1].parameters, ["a", ""]);
    }

    #[test]
    fn a_kernels_base_name_has_no_namespace_and_no_arguments() {
        assert_eq!(base_name("ns::scan<256, other::T>"), "scan");
        assert_eq!(base_name("reduce"), "reduce");
        assert_eq!(base_name("ns::copy(const ns::T*)"), "copy");
    }
}
