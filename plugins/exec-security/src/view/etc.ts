import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  type Stats,
} from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { USERS } from '../levels/unprivileged.js'
import { anyOf } from '../policy/any-of.js'
import { HOME } from './exec-view.js'

const ETC = '/etc'
/** Files of `/etc` that programs need: certificates, the loader, names of services, languages. */
const NAMES = anyOf(
  /^(?:alternatives|ld\.so\.(?:cache|conf|conf\.d)|nsswitch\.conf|services|protocols|networks|rpc|shells|host\.conf)$/,
  /^(?:gai\.conf|localtime|timezone|locale\.(?:alias|conf|gen)|bash\.bashrc|profile|terminfo|magic(?:\.mime)?)$/,
  /^(?:mime\.types|ca-certificates(?:\.conf)?|crypto-policies|os-release|debian_version|manpath\.config|papersize)$/,
  /^(?:gitconfig|gitattributes|wgetrc|fonts|perl|php|ruby|python\d[\d.]*|login\.defs)$/,
  /^(?:inputrc|java-\d+-openjdk|ImageMagick-\d+)$/,
)
/** Parts of folders that hold more. */
const PARTS = ['ssl/certs', 'ssl/openssl.cnf', 'default/locale', 'pki/tls/certs', 'pki/ca-trust']
/** Below these may lie private keys. */
const LEFT_OUT = anyOf(/(?:^|\/)private(?:\/|$)/, /\.key$/)
const MAX_FILE_BYTES = 8 * 1024 * 1024

/**
 * Makes the folder that is shown as `/etc`, as a copy of what programs need and with a user of its own. One folder for
 * all commands, since each mount would cost time.
 *
 * @param folder where it is made, which may exist already
 */
export async function prepareEtc(folder: string): Promise<void> {
  const made = `${folder}.${process.pid}`
  await rm(made, { recursive: true, force: true })
  await mkdir(made, { recursive: true, mode: 0o755 })
  for (const path of await shownOfEtc()) await copy(path.slice(ETC.length + 1), made)
  for (const [name, text] of Object.entries(ownFiles())) await writeFile(join(made, name), text, { mode: 0o644 })
  await rm(folder, { recursive: true, force: true })
  await rename(made, folder)
}

/** Returns the paths below `/etc` that a command may read. */
export async function shownOfEtc(): Promise<string[]> {
  const names = (await readdir(ETC)).filter((name) => NAMES.test(name))
  return [...names, ...PARTS].map((name) => join(ETC, name))
}

/**
 * Copies an entry of `/etc`, a folder with what is in it. The calls are synchronous, folder by folder: a thousand small
 * ones through the pool of threads cost half a second of processor time at each start.
 */
async function copy(name: string, to: string): Promise<void> {
  const entry = statOf(join(ETC, name))
  if (entry === undefined || LEFT_OUT.test(name)) return
  mkdirSync(dirname(join(to, name)), { recursive: true })
  if (!entry.isDirectory()) return copyEntry(name, to, entry)
  await setImmediate()
  mkdirSync(join(to, name), { recursive: true, mode: 0o755 })
  for (const inner of entriesOf(join(ETC, name))) {
    const path = join(name, inner)
    const found = statOf(join(ETC, path))
    if (found?.isDirectory()) await copy(path, to)
    else if (found && !LEFT_OUT.test(path)) copyEntry(path, to, found)
  }
}

function copyEntry(name: string, to: string, entry: Stats): void {
  const source = join(ETC, name)
  const target = join(to, name)
  if (entry.isSymbolicLink()) {
    // A link within /etc, as the one to the root certificates, leads to the copy. Others lead into /usr.
    symlinkSync(readlinkSync(source), target)
  } else if (entry.isFile() && entry.size <= MAX_FILE_BYTES && (entry.mode & 0o004) !== 0) {
    copyFileSync(source, target)
    chmodSync(target, 0o644)
  }
}

/** Returns what is known of an entry, or undefined where it is gone or cannot be reached. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

/** Returns the names in a folder; none where this user may not read it. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Files that name only the user of the command, and no other machine. */
function ownFiles(): Record<string, string> {
  const { uid, gid, username } = userInfo()
  const name = /^[a-z_][\w-]*$/i.test(username) ? username : 'user'
  const isRoot = uid === 0
  const own = isRoot ? `root:x:0:0:root:${HOME}:/bin/bash\n` : `${name}:x:${uid}:${gid}:${name}:${HOME}:/bin/bash\n`
  const others = `${isRoot ? '' : 'root:x:0:0:root:/root:/bin/bash\n'}nobody:x:65534:65534:nobody:/nonexistent:/bin/false\n`
  const ownGroup = isRoot ? '' : `${name}:x:${gid}:\n`
  // The commands of a host of root.
  const users = isRoot ? USERS : []
  const ofUsers = (line: (user: number) => string): string => users.map((user) => `${line(user)}\n`).join('')
  return {
    passwd: own + others + ofUsers((user) => `user:x:${user}:${user}:user:${HOME}:/bin/bash`),
    group: `root:x:0:\n${ownGroup}nogroup:x:65534:\n${ofUsers((user) => `user:x:${user}:`)}`,
    hosts: '127.0.0.1 localhost\n::1 localhost\n',
    'resolv.conf': '',
    hostname: 'sandbox\n',
  }
}
