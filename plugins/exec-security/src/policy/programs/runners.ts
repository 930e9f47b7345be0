import { names } from './program-spec.js'
import { anyOf } from '../any-of.js'

const RUNNERS = new Set(
  names(
    `
    doas pkexec runuser gosu su-exec sg chroot unshare nsenter setarch linux32 linux64 i386 x86_64 prlimit setpriv
    capsh systemd-run start-stop-daemon watch script strace ltrace flock parallel unbuffer xvfb-run dbus-run-session
    dbus-launch ssh-agent fakeroot proxychains proxychains4 torsocks torify firejail bwrap valgrind perf catchsegv
    numactl cgexec tmux screen entr hyperfine rlwrap npx bunx pnpx pnpm yarn npm bun uv poetry pipenv conda bundle
    direnv dotenv caffeinate faketime nq proot cpulimit choom uclampset softlimit chpst envdir setuidgid dumb-init
    tini daemonize daemon eatmydata nocache schedtool trickle aa-exec chronic ifne pee sem gtimeout gnice gnohup
    gstdbuf genv gxargs systemd-inhibit systemd-cat newgrp lockf nodemon concurrently mise asdf rbenv pyenv nodenv
    nvm fnm volta nix nix-shell guix flatpak sshpass gdbserver lldb xterm konsole gnome-terminal alacritty kitty
    wezterm run-parts watchexec reflex ip vagrant tcpdump mpirun srun pre-commit husky lefthook just cpio
    docker-compose podman-compose nerdctl lxc lxc-attach incus machinectl systemd-nspawn flatpak-spawn wsl heroku
    fly flyctl foreman pm2 pssh parallel-ssh clush pdsh dsh mosh xinit startx ttyd gotty websocketd keychain cmake
    ccache distcc sccache runcon xe apply foot
  `,
  ),
)

/** Options whose value is a name and no command. */
const NAMING: Readonly<Record<string, RegExp>> = {
  tmux: /^-[a-zA-Z]*[sntcfLSxyFT]$/,
  screen: /^-[a-zA-Z]*[StpTcehs]$/,
  watch: /^-[a-zA-Z]*[nq]$/,
  flock: /^-[a-zA-Z]*[wE]$/,
}

/** The subcommands of package managers that start a program by name. The empty one is a program given at once. */
const PACKAGE_RUNNERS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x)$/,
  npx: /^$/,
  pnpm: /^(?:exec|dlx|)$/,
  pnpx: /^$/,
  yarn: /^(?:exec|dlx|)$/,
  bun: /^(?:run|x|)$/,
  bunx: /^$/,
}

/** Subcommands followed by the name of a package and then by another subcommand or program. */
const PASSES_ON = /^(?:workspaces?|foreach|explore)$/

const WITHOUT_VALUE = anyOf(
  /^(?:--|-[yqrsdD])$/,
  /^--(?:yes|no|no-install|quiet|silent|bun|offline|prefer-offline|ignore-existing|verbose|recursive|parallel)$/,
  /^--if-present$/,
)

const PLAIN_WORDS = new Set(
  names(
    'ls cat grep find echo printf man which type whereis apt apt-get git node python python3 rm cp mv add install remove i info view show search list why',
  ),
)

/** Whether a command may run another one that no table describes. */
export const isRunner = (name: string): boolean => RUNNERS.has(name) || /^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/.test(name)

/** Whether a runner finds its program in packages and starts it without a shell. */
export const isPackageRunner = (name: string): boolean =>
  /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|uv|poetry|pipenv|conda|bundle)$/.test(name)

/** The words of a runner that may be a command word or a script: up to the first that is plainly another command. */
export function runnerCandidates(name: string, words: readonly (string | undefined)[]): readonly string[] {
  const starting = PACKAGE_RUNNERS[name]
  if (starting !== undefined) return packageCandidates(starting, words)
  const candidates: string[] = []
  for (const [i, word] of words.entries()) {
    if (word === undefined || NAMING[name]?.test(words[i - 1] ?? '') === true) continue
    if (PLAIN_WORDS.has(word)) break
    candidates.push(word.replace(/^--?[\w-]+=/, ''))
    // The command of `-c` may be attached.
    const [, command] = /^-[a-bd-zA-Z]{0,9}c(.+)/s.exec(word) ?? []
    if (command !== undefined) candidates.push(command)
  }
  return candidates
}

/** Returns the program that a package manager starts, and values of its options that could be it. */
function packageCandidates(starting: RegExp, words: readonly (string | undefined)[]): readonly string[] {
  const candidates: string[] = []
  let starts = starting.test('')
  let sure = true
  for (const word of words) {
    if (word === undefined) {
      if (sure) return candidates
      sure = true
    } else if (word.startsWith('-')) {
      candidates.push(word.replace(/^--?[\w-]+=?/, ''))
      // The word after an option may be its value or the program.
      sure = WITHOUT_VALUE.test(word) || word.includes('=')
    } else {
      if (PASSES_ON.test(word)) {
        starts = true
        sure = false
        continue
      }
      const enters = starting.test(word)
      if (starts || !sure) candidates.push(word)
      if (sure && !enters) return candidates
      starts ||= enters
      sure = true
    }
  }
  return candidates
}
