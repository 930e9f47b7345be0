// Where text from the network may be written: nowhere that something runs, loads or decides by.
import { hasWild } from '../patterns.js'
import { displayShape, type Arg } from '../words.js'

const CODE = /\.(?:[cm]?[jt]sx?|sh|bash|zsh|fish|py|pyw|rb|pl|pm|php|lua|ps1|bat|cmd|exe|dll|so|dylib|node|wasm|jar|service|timer|desktop|plist|mk|gradle|vbs|command|run|d)$/i
const DECIDES =
  /^(?:\..*|package(?:-lock)?\.json|npm-shrinkwrap\.json|tsconfig.*\.json|jsconfig\.json|lerna\.json|nx\.json|turbo\.json|deno\.jsonc?|composer\.(?:json|lock)|pnpm-.*\.ya?ml|yarn\.lock|bun\.lockb?|gnumakefile|makefile|makefile\.\w+|cmakelists\.txt|dockerfile.*|.*\.dockerfile|(?:docker-)?compose.*\.ya?ml|procfile|vagrantfile|jenkinsfile|gemfile.*|rakefile|cargo\.(?:toml|lock)|go\.(?:mod|sum|work)|pyproject\.toml|setup\.(?:py|cfg)|requirements.*\.txt|tox\.ini|pipfile.*|justfile|.*\.config\.\w+|.*rc(?:\.(?:json|ya?ml|toml))?|mynah\..*|agents\.md|claude\.md|skill\.md|.*\.agent\.md|soul\.md|tools\.md|.*\.pth|authorized_keys|crontab|a\.out|core)$/i
const FOLDERS = /^(?:\.(?!\.?$).*|src|lib|libs|bin|sbin|plugins?|skills?|agents?|node_modules|scripts?|tools?|hooks|dist|build|tests?|__tests__|app|apps|packages?|pkg|server|api|routes|config|conf|etc|data|vendor|site-packages|include)$/i
const HARMLESS = /^(?:-|\/dev\/(?:null|stdout|stderr))$/

/** Why text from elsewhere should not be written to a place, beyond what its path already forbids. */
export function refuseDownload(target: Arg): string | undefined {
  const { shape } = target
  if (HARMLESS.test(shape)) return undefined
  if (hasWild(target.pattern) && !target.sources.every((source) => source === 'arithmetic' || source === 'variable' || source === 'command')) return `${displayShape(target)} is only known when it runs`
  const parts = shape.replace(/^\/tmp(?=\/)/, '').split('/').filter((part) => part !== '' && part !== '.')
  const name = parts.at(-1) ?? ''
  const temporary = shape.startsWith('/tmp/')
  if (/#\d/.test(shape)) return `${displayShape(target)} is named by the address`
  if (parts.includes('..')) return `${displayShape(target)} leads out of its folder`
  if (parts.some((part) => part.startsWith('.')) || (!temporary && (parts.slice(0, -1).some((part) => FOLDERS.test(part)) || DECIDES.test(name) || CODE.test(name)))) {
    return `${displayShape(target)} may be run or loaded`
  }
  return undefined
}

/** The name under which a file of an address would be stored. */
export function storedName(address: string): string {
  const path = address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  return path.slice(path.lastIndexOf('/') + 1)
}
