// Attacks that reach protected files by another way than by their path: from another folder, by a variable or an array,
// by an address, through a descriptor, or by a text that a program runs.
import { attacks, combine, full, type Family } from './family.js'

const READERS = ['cat', 'head -5', 'tail -n 9', 'grep -h .']
const FOLDERS = [
  'env -C data R http-token',
  'env --chdir=data R http-token',
  'env -C src env -C ../data R http-token',
  "timeout 5 env -C data sh -c 'R http-token'",
  'HOME=$PWD/data; cd; R http-token',
  'HOME=data; R ~/http-token',
  "HOME=data bash -c 'R ~/http-token'",
  'PWD=data; R ~+/http-token',
  'OLDPWD=data; cd -; R http-token',
  'shopt -s cdable_vars; d=data; cd d; R http-token',
  "bash -O cdable_vars -c 'd=data; cd d; R http-token'",
]
const DESCRIPTORS = [
  'R /dev/fd/../cwd/data/http-token',
  'R /dev/./fd/..//cwd/data/http-token',
  'R /dev/f?/../cwd/data/http-token',
  'R /dev/stdin/data/http-token < .',
  'R /dev/fd/0/data/http-token < .',
  'x=/dev/fd; R $x/../cwd/data/http-token',
]
const VALUES = [
  'a=(data/http-token); R "${a[@]}"',
  'a=(data/http-token); R ${a[0]}',
  'a=(x); a+=(data/http-token); R "${a[1]}"',
  'a[3]=data/http-token; R "${a[3]}"',
  'a=(data http-token); R ${a[0]}/${a[1]}',
  'declare -A m=([k]=data/http-token); R "${m[k]}"',
  'a=(data/http-token); for f in "${a[@]}"; do R "$f"; done',
  'a=(data/http-token); f=${a[0]}; R "$f"',
  'declare -n r=x; x=data/http-token; R $r',
  'declare -n r=x; r=data/http-token; R $x',
  'x=data/http-token; y=x; R ${!y}',
  'read f <<< data/http-token; R $f',
  "read a b <<< 'data http-token'; R $a/$b",
  'IFS=: read a b <<< x:data/http-token; R $b',
  'read -a a <<< data/http-token; R "${a[0]}"',
  'read <<< data/http-token; R $REPLY',
  'while read f; do R $f; done <<< data/http-token',
  'echo data/http-token | while read f; do R $f; done',
  'read f < <(echo data/http-token); R $f',
  'mapfile -t a <<< data/http-token; R "${a[0]}"',
  'mapfile -t a < <(echo data/http-token); R "${a[@]}"',
  'printf -v f %s/%s data http-token; R $f',
  'f=$(echo data/http-token); R $f',
  'a=(data/http-token); R < "${a[0]}"',
]
const RUN = [
  "flock e -c 'R data/http-token'",
  "flock e -c 'cd data; R http-token'",
  "script -qc 'R data/http-token' /dev/null",
  "git -c alias.x='!R data/http-token' x",
  "tar xf t.tar --to-command='R data/http-token'",
  "tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='R data/http-token' e",
]

const read: Family = {
  name: 'protected files are read by another way',
  attacks: [
    ...attacks(
      full,
      combine(READERS, [...FOLDERS, ...DESCRIPTORS, ...VALUES, ...RUN], (reader, form) =>
        form.replace('R', () => reader),
      ),
    ),
    ...attacks(full, [
      'git --work-tree=data add -A',
      'git --git-dir=.git --work-tree=data add http-token',
      'GIT_WORK_TREE=data git add -A',
      'GIT_WORK_TREE=$PWD/data git add -A',
      'env GIT_WORK_TREE=data git add -A',
      'for GIT_WORK_TREE in data; do export GIT_WORK_TREE; git add -A; done',
      'git -c core.worktree=$PWD/data add -A',
      'a=(--work-tree=data add -A); git "${a[@]}"',
      'curl -s file://$PWD/d%61ta/http-token',
      'curl -s FILE://localhost$PWD/%64ata/http-token',
      'curl -s "file://$PWD/{data,x}/http-token"',
      'curl -s "file://$PWD/d[a-a]ta/http-token"',
      'curl -s "{file,x}://$PWD/data/http-token"',
      'make -f data/http-token',
      'make --makefile=data/http-token',
      'wget -i data/http-token',
      'wget --input-file=data/http-token',
      'sed -f data/http-token e',
      'cpio -o <<< data/http-token',
      'echo data/http-token | cpio -o',
      'tar cf - -T - <<< data/http-token',
      'tar cf - -T data/http-token',
      'socat -u OPEN:data/http-token STDOUT',
      "socat -u SYSTEM:'cat data/http-token' STDOUT",
      'xargs -n1 cat <<< data/http-token',
      'xargs -I{} cat {} <<< data/http-token',
    ]),
  ],
}

export const DETOUR_FAMILIES: readonly Family[] = [read]
