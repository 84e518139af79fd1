// SPDX-License-Identifier: GPL-2.0-only
// Rust enums with their niches, and structs that the compiler reorders. The program prints the
// answers itself: constants of layouts came to the language only after Debian 12's compiler.
#![allow(dead_code)]
use std::mem::{align_of, size_of, size_of_val};

pub enum Choice {
    Number(u32),
    Both { x: u64, y: u8 },
    Nothing,
}
pub struct Reordered {
    a: u8,
    b: u64,
    c: u16,
    d: Option<Box<u32>>,
    e: Choice,
}
#[repr(C)]
pub struct AsInC {
    a: u8,
    b: u64,
    c: u16,
}
#[repr(C, packed)]
pub struct Packed {
    a: u8,
    b: u64,
    c: u16,
}
#[repr(C)]
pub union Either {
    word: u64,
    bytes: [u8; 3],
}
pub struct Tuple(u8, u32, [u16; 3]);

fn size<T>(keyword: &str, name: &str) {
    println!("size|{} {}|{}|{}", keyword, name, size_of::<T>(), align_of::<T>());
}

fn field<T, F>(name: &str, path: &str, object: &T, member: *const F, bytes: usize) {
    let offset = member as usize - object as *const T as usize;
    println!("field|{}|{}|{}|{}", name, path, offset, bytes);
}

macro_rules! fields {
    ($name:expr, $object:expr, $($member:ident),*) => {
        $(field($name, stringify!($member), &$object, &$object.$member,
                size_of_val(&$object.$member));)*
    };
}

fn main() {
    let reordered = Reordered { a: 1, b: 2, c: 3, d: None, e: Choice::Nothing };
    size::<Reordered>("struct", "Reordered");
    fields!("struct Reordered", reordered, a, b, c, d, e);
    let as_in_c = AsInC { a: 1, b: 2, c: 3 };
    size::<AsInC>("struct", "AsInC");
    fields!("struct AsInC", as_in_c, a, b, c);
    let packed = Packed { a: 1, b: 2, c: 3 };
    size::<Packed>("struct", "Packed");
    field("struct Packed", "b", &packed, std::ptr::addr_of!(packed.b), 8);
    field("struct Packed", "c", &packed, std::ptr::addr_of!(packed.c), 2);
    size::<Either>("union", "Either");
    let tuple = Tuple(1, 2, [3, 4, 5]);
    size::<Tuple>("struct", "Tuple");
    field("struct Tuple", "__0", &tuple, &tuple.0, 1);
    field("struct Tuple", "__1", &tuple, &tuple.1, 4);
    field("struct Tuple", "__2", &tuple, &tuple.2, 6);
    size::<Choice>("struct", "Choice");
    for choice in &[Choice::Number(1), Choice::Both { x: 1, y: 2 }, Choice::Nothing] {
        match choice {
            Choice::Number(n) => field("struct Choice", "Number.__0", choice, n, 4),
            Choice::Both { x, y } => {
                field("struct Choice", "Both.x", choice, x, 8);
                field("struct Choice", "Both.y", choice, y, 1);
            }
            Choice::Nothing => (),
        }
    }
    let either = Either { word: 1 };
    assert!(unsafe { either.word } == 1);
}
