/** Compilers: options that start or load programs, read files of options or write additional files. */
export const COMPILERS = `
# Options for the linker, the assembler or the preprocessor are covered if they only shape the result.
gcc|g++|cc|c++|clang|clang++|c89|c99 <read>...
  no-abbreviations, single-hyphen, tolerant
  -c -S -E -C -P -H -M -v -w -s -r -p -Q -h -CC -MM -MG -MP -MD -MMD -pg -### -help -version -dumpversion
  -dumpmachine -print-* -pipe -pthread -ansi -pedantic -pedantic-errors -undef -nostdinc -nostdinc++ -nostdlib
  -nolibc -nodefaultlibs -nostartfiles -pie -no-pie -static -static-pie -static-libgcc -static-libstdc++ -shared
  -shared-libgcc -symbolic -rdynamic -traditional -traditional-cpp -trigraphs -remap -emit-llvm -fsyntax-only
  -target-help -W* -f* -m* -g* -O* -d* -fopenmp -Wl,-z,* -Wl,--as-needed -Wl,--no-as-needed -Wl,--gc-sections
  -Wl,--no-undefined -Wl,-rpath* -Wl,-Bstatic -Wl,-Bdynamic -Wl,-Bsymbolic* -Wl,-O* -Wl,-s -Wl,-S -Wl,--strip-*
  -Wl,--start-group -Wl,--end-group -Wl,--build-id* -Wl,-soname* -Wl,--whole-archive -Wl,--no-whole-archive
  -Wl,-dead_strip -Wl,--export-dynamic -Wl,-E
  -Wl,* -Wa,* -Wp,* -cc1 -cc1as: deny
  -x -l -D -U -A -u -z -e -std -T-text -MT -MQ -arch -target -param <text>
  -I -L -F -isystem -iquote -idirafter -iprefix -iwithprefix -isysroot -imultilib -sysroot <list>
  -T -include -imacros -include-pch <read>
  -o -MF -MJ -dumpdir -dumpbase -aux-info -serialize-diagnostics <write>
  -B -wrapper -fuse-ld -ld-path -ccc-gcc-name -gcc-toolchain -gcc-install-dir <program>
  -specs -fplugin -fpass-plugin -fplugin-arg-* -load -config -iplugindir -Xlinker -Xassembler -Xpreprocessor <deny>
  -Xclang -Xarch_* -mllvm -working-directory -resource-dir <deny>
  -O -g [text]
  -fdump-* -fopt-info* -save-temps -fprofile-dir -fprofile-generate -fprofile-arcs-path [write]
  -fcrash-diagnostics-dir -fstack-usage -fsave-optimization-record -ftime-trace -foptimization-record-file [write]
  -fdiagnostics-add-output -fcallgraph-info -fmodule-mapper -fmodules-cache-path [write]
  -fprofile-use -fauto-profile -fmodule-file -fmodule-map-file -fsanitize-blacklist -fsanitize-ignorelist [read]
  prefixes: @
  stdin: code

rustc <read>...
  no-abbreviations, tolerant
  -h -V -v -g -O --help --version --verbose --test
  -l -A -W -D -F --crate-type --crate-name --edition --cfg --check-cfg --print --target --allow --warn <text>
  --force-warn --deny --forbid --cap-lints --error-format --json --color --diagnostic-width --explain <text>
  -L <list>
  --emit --extern <any>
  --sysroot <read>
  -o --out-dir <write>
  -C --codegen <setting>
  -Z --remap-path-prefix <deny>
  prefixes: @
  stdin: code
`
