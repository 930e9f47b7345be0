/** A default that is another one than in the release before. */
export interface ChangedDefault {
  /** Never used again for another change: folders remember it. */
  readonly id: string
  /** The release that has the new default. */
  readonly since: string
  /** The plugin whose users it concerns. */
  readonly plugin: string
  /** Hosts that have one of these options have decided already. `*` stands for the names of a section. */
  readonly options: readonly string[]
  /** The difference. */
  readonly change: string
  /** The lines of the configuration that keep the old behaviour. */
  readonly keep: string
}

/** All changes, oldest first. docs/upgrading.md has them for people. */
export const CHANGED_DEFAULTS: readonly ChangedDefault[] = [
  {
    id: 'exec-unwalled',
    since: '0.2.0',
    plugin: 'exec-security',
    options: ['ai.agent.execUnwalled'],
    change: 'without bubblewrap, listed commands run unasked only if they provably only read',
    keep: 'ai.agent.execUnwalled: text',
  },
  {
    id: 'exec-network',
    since: '0.2.0',
    plugin: 'exec-security',
    options: ['ai.agent.execNetwork', 'ai.agent.execHosts'],
    change: 'commands reach hosts by name only, those that the preset allows or the owner approves',
    keep: 'ai.agent.execNetwork: named',
  },
  {
    id: 'exec-view',
    since: '0.2.0',
    plugin: 'exec-security',
    options: ['ai.agent.execView'],
    change:
      'the home folder of commands is empty but for .gitconfig, and paths outside of the working folder are hidden',
    keep: 'ai.agent.execView: { read: ["/the/folders/they/need"] }',
  },
  {
    id: 'exec-system',
    since: '0.2.0',
    plugin: 'exec-security',
    options: ['ai.agent.execView.tools'],
    change: 'commands do not see /opt, but for the programs on the PATH of the host',
    keep: 'ai.agent.execView: { tools: ["/opt"] }',
  },
  {
    id: 'exec-level',
    since: '0.2.0',
    plugin: 'exec-security',
    options: ['ai.agent.execLevel'],
    change: 'on a machine that once held commands better, only those that provably only read run',
    keep: 'ai.agent.execLevel: none',
  },
  {
    id: 'exec-limits',
    since: '0.2.0',
    plugin: 'exec-security',
    options: ['ai.agent.execLimits'],
    change: 'a command has at most 512 processes, 4 GiB of memory, files of 4 GiB and 4,096 open files',
    keep: 'ai.agent.execLimits: { processes: 1048576, memoryMb: 1048576, fileMb: 1048576, openFiles: 1048576 }',
  },
  {
    id: 'cron-run-timeout',
    since: '0.2.0',
    plugin: 'cron',
    options: ['cron.runTimeout'],
    change: 'a run of a job that works for longer than an hour fails, and the owner is notified',
    keep: 'cron.runTimeout: 0',
  },
  {
    id: 'mcp-roles',
    since: '0.2.0',
    plugin: 'mcp',
    options: ['ai.mcpServers.*.roles'],
    change: 'tools of MCP servers are for trusted users and masters',
    keep: 'ai.mcpServers.<name>.roles: [user]',
  },
  {
    id: 'agent-strangers',
    since: '0.2.0',
    plugin: 'agent',
    options: ['ai.agent.rateLimit.strangersPerHour'],
    change: 'users without a role have 20 turns an hour',
    keep: 'ai.agent.rateLimit: { strangersPerHour: 0 }',
  },
  {
    id: 'agent-collect',
    since: '0.2.0',
    plugin: 'agent',
    options: ['ai.trigger.collectMs'],
    change: 'messages that a person sends within 1.5 seconds become one turn',
    keep: 'ai.trigger.collectMs: 0',
  },
  {
    id: 'marketplace-install',
    since: '0.2.0',
    plugin: 'marketplace',
    options: ['marketplace.install'],
    change: 'packages can be installed from the console with a token of full scope',
    keep: 'marketplace.install: "off"',
  },
  {
    id: 'chat-loop',
    since: '0.2.0',
    plugin: 'chat',
    options: ['dispatcher.loop'],
    change: 'the AI pauses for a user who answers eight of its answers within a minute, each within ten seconds',
    keep: 'dispatcher.loop: { exchanges: 0 }',
  },
]
