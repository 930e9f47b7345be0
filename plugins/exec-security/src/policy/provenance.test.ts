// A subscript is evaluated: only what is provably a number may stand there.
import { everyCommand, full } from '../test/policies.js'

const SHOW = 'printf %s "${list[$i]}"'

describe('subscripts', () => {
  describe('that are numbers', () => {
    everyCommand('allow', full, [
      `list=(a b); i=1; ${SHOW}`,
      `for i in 0 1; do ${SHOW}; done`,
      `for i in {0..3}; do ${SHOW}; done`,
      `for i in $(seq 3); do ${SHOW}; done`,
      `for ((i = 0; i < 2; i++)); do ${SHOW}; done`,
      `i=0; while ((i < 2)); do ${SHOW}; ((i += 1)); done`,
      `list=(a b); i=$((RANDOM % 2)); ${SHOW}`,
      `i=\${#list[@]}; i=$((i - 1)); ${SHOW}`,
      `for i in "\${!list[@]}"; do ${SHOW}; done`,
      `for i in \${!list[*]}; do ${SHOW}; done`,
      `mapfile -t list < a.txt; for i in "\${!list[@]}"; do j=$i; printf %s "\${list[$j + 1]}"; done`,
      `declare -a list=(a b); for i in "\${!list[@]}"; do [[ \${list[i]} == a ]] && ${SHOW}; done`,
    ])
  })

  describe('that may be code', () => {
    everyCommand('deny', full, [
      `read i; ${SHOW}`,
      `i=$(cat a.txt); ${SHOW}`,
      `i=$1; ${SHOW}`,
      `for i in *; do ${SHOW}; done`,
      `declare -A map; for i in "\${!map[@]}"; do ${SHOW}; done`,
      `f() { local -A map; for i in "\${!map[@]}"; do ${SHOW}; done; }; f`,
      `typeset -gA map; for i in \${!map[*]}; do ${SHOW}; done`,
      `command declare -A map; for i in \${!map[*]}; do ${SHOW}; done`,
      `trap 'declare -A map' EXIT; for i in \${!map[*]}; do ${SHOW}; done`,
      `declare -$flags map; for i in \${!map[*]}; do ${SHOW}; done`,
      `source ./lib.sh; for i in "\${!map[@]}"; do ${SHOW}; done`,
      `. ./lib.sh; for i in "\${!map[@]}"; do ${SHOW}; done`,
      `for i in "\${!BASH_ALIASES[@]}"; do ${SHOW}; done`,
      `for i in "\${!list@}"; do ${SHOW}; done`,
      `for i in "\${!list}"; do ${SHOW}; done`,
    ])
  })
})
