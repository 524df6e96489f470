//! A module's text without the traces of its source's layout: two programs that differ in line breaks, comments or file
//! names alone give one text, and so one cached verdict.

use super::ast::{Function, Module, Statement, Variable};
use super::print::write_module;

impl Module {
    /// The module's text without `.loc`, `.file`, debug strings, comments and blanks of its own; what a verdict is cached by.
    pub fn normalised_text(&self) -> String {
        let mut text = String::new();
        write_module(&mut text, self, false).expect("writing to a string cannot fail");
        text
    }

    /// The hash of [`Self::normalised_text`] (BLAKE3, as 64 hexadecimal digits).
    pub fn normalised_hash(&self) -> String {
        blake3::hash(self.normalised_text().as_bytes()).to_hex().to_string()
    }

    /// Sets every `ptx_line` to 0, so that modules compare by content.
    pub fn forget_ptx_lines(&mut self) {
        self.variables.iter_mut().for_each(forget_variable);
        self.functions.iter_mut().for_each(forget_function);
    }
}

fn forget_variable(variable: &mut Variable) {
    variable.ptx_line = 0;
}

fn forget_function(function: &mut Function) {
    function.ptx_line = 0;
    function.results.iter_mut().chain(&mut function.params).for_each(forget_variable);
    function.body.iter_mut().flatten().for_each(forget_statement);
}

fn forget_statement(statement: &mut Statement) {
    match statement {
        Statement::Instruction(instruction) => instruction.ptx_line = 0,
        Statement::Variable(variable) => forget_variable(variable),
        Statement::Block(body) => body.iter_mut().for_each(forget_statement),
        Statement::CallPrototype { results, params, .. } => {
            results.iter_mut().chain(params).for_each(forget_variable);
        }
        Statement::Label(_)
        | Statement::Registers { .. }
        | Statement::Loc(_)
        | Statement::Pragma(_)
        | Statement::BranchTargets { .. }
        | Statement::CallTargets { .. } => {}
    }
}
