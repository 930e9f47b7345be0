import type { ExecConfig } from '../config.js'
import type { ExecDecision } from '../policy/types.js'
import { hostRule, type HostRule } from './host-rules.js'

/** Registries of packages and forges of source code, which the preset `development` reaches. */
const DEVELOPMENT: readonly string[] = [
  ...['registry.npmjs.org', 'registry.yarnpkg.com', 'npm.jsr.io', 'nodejs.org'],
  ...['pypi.org', 'files.pythonhosted.org'],
  ...['crates.io', 'index.crates.io', 'static.crates.io', 'rubygems.org', 'repo.maven.apache.org'],
  ...['proxy.golang.org', 'sum.golang.org'],
  ...['github.com', 'api.github.com', 'codeload.github.com', '*.githubusercontent.com'],
  ...['gitlab.com', 'codeberg.org', 'bitbucket.org'],
]

type ExecNetwork = 'none' | 'listed' | 'named'

/** Returns what commands reach if the owner has not said it. */
export function networkOf(config: ExecConfig): ExecNetwork {
  const { 'ai.agent.execNetwork': set, 'ai.agent.execPreset': preset, 'ai.agent.execSecurity': security } = config
  if (set !== undefined) return set
  if (security === 'full') return 'named'
  if (preset === 'readonly') return 'none'
  return preset === 'custom' ? 'listed' : 'named'
}

/** Rules of parts that run nothing which could reach a network. */
const AT_HOME = new Set(['read-only', 'builtin', 'redirection', 'syntax'])

/**
 * Returns the hosts that one command may reach. Returns undefined if it gets no way to the network: the owner wants
 * none, or no part of it could use one.
 *
 * @param approved hosts that the owner has approved for this run
 */
export function hostsOfRun(
  config: ExecConfig,
  { parts, network, hosts = [] }: ExecDecision,
  approved: readonly string[] = [],
): readonly HostRule[] | undefined {
  const mode = networkOf(config)
  if (mode === 'none' && approved.length === 0) return undefined
  if (network !== true && parts.every(({ rule }) => AT_HOME.has(rule))) return undefined
  const listed = mode === 'none' ? [] : config['ai.agent.execHosts']
  const rules = [
    ...listed.map((entry) => (typeof entry === 'string' ? hostRule(entry) : hostRule(entry.host, entry.private))),
    ...(mode === 'named' ? hosts : []).map((host) => hostRule(host)),
    ...(mode === 'named' && isDevelopment(config) ? DEVELOPMENT : []).map((host) => hostRule(host)),
    ...approved.map((host) => hostRule(host)),
  ]
  return rules.filter((rule) => rule !== undefined)
}

/** `full` is no preset, so it has only the hosts that a text names. */
const isDevelopment = (config: ExecConfig): boolean =>
  config['ai.agent.execPreset'] === 'development' && config['ai.agent.execSecurity'] !== 'full'
