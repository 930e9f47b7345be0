import type { ParsedArgs } from './parsed-args.js'
import type { Arg } from './words.js'

/** An address at the start of a word, or behind `=` or a prefix such as `git+`. */
const ADDRESS = /^(?:-{1,2}[\w-]+=)?(?:[a-z]+\+)?(https?):\/\/(?:[^/?#@\s]*@)?([^/?#@\s]+)/i
/** A host where an address is expected: `example.org/page`, `git@example.org:path`. */
const BARE = /^(?:[^/?#@\s:]+@)?([a-z0-9][\w.-]*\.[a-z]{2,})(?::(\d{1,5}))?(?=[/?#:]|$)/i
const PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** Returns the hosts that the words of a command write out, as `name` or `name:port`. */
export function namedHosts(words: readonly Arg[], parsed: ParsedArgs | undefined): string[] {
  const expected = parsed?.uses.filter(({ effect }) => effect === 'address').map(({ arg }) => arg) ?? []
  return [
    ...words.flatMap(({ value }) => {
      const [, scheme = '', host] = ADDRESS.exec(value ?? '') ?? []
      return host === undefined ? [] : [withoutUsualPort(host, PORTS[scheme.toLowerCase()])]
    }),
    ...expected.flatMap(({ value }) => {
      const [, host, port] = BARE.exec(value ?? '') ?? []
      return host === undefined || ADDRESS.test(value ?? '')
        ? []
        : [withoutUsualPort(`${host}:${port ?? '443'}`, '443')]
    }),
  ]
}

const withoutUsualPort = (host: string, port: string | undefined): string =>
  host.endsWith(`:${port}`) ? host.slice(0, -`:${port}`.length) : host
