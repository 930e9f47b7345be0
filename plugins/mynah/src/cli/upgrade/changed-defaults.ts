/** A default that is another one than in the release before. */
export interface ChangedDefault {
  /** Never used again for another change: folders remember it. */
  readonly id: string
  /** The release that has the new default. */
  readonly since: string
  /** Whose users it concerns. */
  readonly plugin: string
  /** Hosts that have one of these options have decided already. `*` stands for the names of a section. */
  readonly options: readonly string[]
  /** What is different. */
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
]
