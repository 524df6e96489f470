//! Mangled names that NVRTC wrote, and what a student should read.

use crate::ptx::plain_name;

#[test]
fn functions() {
    assert_eq!(plain_name("_Z16sumLastBlockRacyPKfPfS1_Pjm"), "sumLastBlockRacy");
    assert_eq!(plain_name("_ZN2ns4scanILi256EEEvPi"), "ns::scan<256>");
    assert_eq!(plain_name("_ZNK2ns5ShiftILi3EE5applyEiPi"), "ns::Shift<3>::apply");
    assert_eq!(plain_name("_ZZ7groessePiENKUliE_clEi"), "lambda in groesse");
    assert_eq!(plain_name("_ZZN2ns4scanEPiENKUlvE_clEv"), "lambda in ns::scan");
}

#[test]
fn variables() {
    assert_eq!(plain_name("_ZZ16sumLastBlockRacyPKfPfS1_PjmE4tile"), "tile");
    assert_eq!(plain_name("_ZZN1a1b4scanILi256EfEEvPT0_E4tile"), "tile");
    assert_eq!(plain_name("_ZZ7groessePiE1s"), "s");
    assert_eq!(plain_name("_ZZZ7groessePiENKUliE_clEiE3inl"), "inl");
    assert_eq!(plain_name("_ZN2ns7countedE"), "ns::counted");
}

#[test]
fn anonymous_namespaces_are_not_shown() {
    let name = "_ZN32_INTERNAL_00000000_4_n_cu__Z1zPi34_GLOBAL__N__00000000_4_n_cu__Z1zPi3cntE";
    assert_eq!(plain_name(name), "cnt");
    assert_eq!(plain_name("_ZN12_GLOBAL__N_13cntE"), "cnt");
}

#[test]
fn names_that_are_not_mangled_stay() {
    for name in ["kBlocks", "k", "_Zebra", "_Z", "_ZZZZZZ", "$str$1", ""] {
        assert_eq!(plain_name(name), name);
    }
    let long = format!("_Z{}", "P".repeat(1_000_000));
    assert_eq!(plain_name(&long), long);
    let deep = format!("_Z1f{}i", "P".repeat(4000));
    plain_name(&deep);
}
