// Compilers: what their options start, load, read from files of options, or write on the side.
import { alike, type ProgramSpec } from './program-spec.js'

/** GCC and Clang. What is handed to the linker, the assembler or the preprocessor is covered where it only shapes the result. */
const COMPILER: ProgramSpec = {
  exact: true,
  hyphen: true,
  signs: '@',
  tolerant: true,
  flags: `c S E C CC P H M MM MG MP MD MMD v w s r p pg Q h ### help version dumpversion dumpmachine print-* pipe pthread ansi pedantic pedantic-errors undef nostdinc nostdinc++ nostdlib nolibc nodefaultlibs
    nostartfiles pie no-pie static static-pie static-libgcc static-libstdc++ shared shared-libgcc symbolic rdynamic traditional traditional-cpp trigraphs remap emit-llvm fsyntax-only target-help
    W* f* m* g* O* d* fopenmp Wl,-z,* Wl,--as-needed Wl,--no-as-needed Wl,--gc-sections Wl,--no-undefined Wl,-rpath* Wl,-Bstatic Wl,-Bdynamic Wl,-Bsymbolic* Wl,-O* Wl,-s Wl,-S Wl,--strip-* Wl,--start-group
    Wl,--end-group Wl,--build-id* Wl,-soname* Wl,--whole-archive Wl,--no-whole-archive Wl,-dead_strip Wl,--export-dynamic Wl,-E`,
  acts: { never: 'Wl,* Wa,* Wp,* cc1 cc1as' },
  values: {
    text: 'x l D U A u z std T-text MT MQ arch target param e',
    list: 'I L F isystem iquote idirafter iprefix iwithprefix isysroot imultilib sysroot',
    read: 'include imacros T include-pch',
    write: 'o MF MJ dumpdir dumpbase aux-info serialize-diagnostics',
    program: 'wrapper B fuse-ld ld-path ccc-gcc-name gcc-toolchain gcc-install-dir',
    never:
      'specs fplugin fpass-plugin fplugin-arg-* load config iplugindir Xlinker Xassembler Xpreprocessor Xclang Xarch_* mllvm working-directory resource-dir',
  },
  optional: {
    text: 'O g',
    write:
      'fdump-* fopt-info* save-temps fprofile-dir fprofile-generate fprofile-arcs-path fcrash-diagnostics-dir fstack-usage fsave-optimization-record ftime-trace foptimization-record-file fdiagnostics-add-output fcallgraph-info fmodule-mapper fmodules-cache-path',
    read: 'fprofile-use fauto-profile fmodule-file fmodule-map-file fsanitize-blacklist fsanitize-ignorelist',
  },
  operands: ['read'],
  input: 'code',
}

const RUSTC: ProgramSpec = {
  exact: true,
  signs: '@',
  tolerant: true,
  flags: 'h help V version v verbose g O test',
  values: {
    text: 'crate-type crate-name edition cfg check-cfg l print target A allow W warn force-warn D deny F forbid cap-lints error-format json color diagnostic-width explain',
    list: 'L',
    any: 'emit extern',
    read: 'sysroot',
    write: 'o out-dir',
    setting: 'C codegen',
    never: 'Z remap-path-prefix',
  },
  operands: ['read'],
  input: 'code',
}

export const COMPILERS: Readonly<Record<string, ProgramSpec>> = {
  ...alike('gcc g++ cc c++ clang clang++ c89 c99', COMPILER),
  rustc: RUSTC,
}
