// systemd: its units and its journal.
import { alike, type ProgramSpec } from './program-spec.js'

const UNIT: ProgramSpec = { operands: ['text'] }

const SYSTEMCTL: ProgramSpec = {
  flags:
    'a all l full q quiet no-pager no-legend no-block wait now runtime global user system no-wall no-reload no-ask-password f force dry-run show-types value plain no-warn r recursive reverse after before with-dependencies failed v verbose T stdin',
  acts: { query: 'h help version' },
  values: {
    text: 't type state p P property n lines o output job-mode kill-whom kill-who s signal kill-value what timestamp preset-mode check-inhibitors message drop-in when',
    never: 'H host M machine root image image-policy boot-loader-entry boot-loader-menu firmware-setup',
  },
  subcommands: {
    ...alike(
      `status show cat help list-units list-unit-files list-timers list-sockets list-paths list-automounts list-dependencies list-jobs list-machines is-active is-enabled is-failed is-system-running get-default
      start stop restart try-restart reload reload-or-restart try-reload-or-restart kill clean freeze thaw reset-failed disable mask unmask preset cancel daemon-reload whoami`,
      UNIT,
    ),
    // A path is a unit of anyone's.
    ...alike('enable reenable link', { operands: ['setting'] }),
    // An editor; the environment of what is started later; the machine itself.
    ...alike(
      `edit set-environment unset-environment import-environment show-environment set-property service-log-level service-log-target bind mount-image revert add-wants add-requires isolate set-default default rescue emergency
      halt poweroff reboot kexec soft-reboot exit switch-root sleep suspend hibernate hybrid-sleep suspend-then-hibernate daemon-reexec preset-all log-level log-target`,
      { operands: ['never'], alone: 'never' },
    ),
  },
}
/** Options may stand behind a subcommand as well. */
const withOptions = ({ subcommands = {}, ...options }: ProgramSpec): ProgramSpec => ({
  ...options,
  subcommands: Object.fromEntries(Object.entries(subcommands).map(([name, table]) => [name, { ...options, ...table }])),
})

const JOURNALCTL: ProgramSpec = {
  flags:
    'a all f follow e pager-end r reverse q quiet m merge x catalog no-pager no-full l full no-tail no-hostname utc k dmesg system user list-boots list-invocations header disk-usage show-cursor N fields list-catalog truncate-newline list-namespaces I',
  acts: {
    query: 'h help version',
    never: 'rotate flush sync relinquish-var smart-relinquish-var setup-keys update-catalog force new-id128',
  },
  values: {
    text: 'u unit user-unit t identifier T exclude-identifier p priority S since U until o output output-fields g grep F field c cursor after-cursor facility invocation',
    read: 'file D directory i',
    write: 'cursor-file',
    never: 'M machine root image image-policy verify-key interval vacuum-size vacuum-time vacuum-files namespace',
  },
  optional: { text: 'n lines b boot case-sensitive', never: 'verify' },
  operands: ['text'],
  numbers: true,
  tolerant: true,
}

export const SERVICES: Readonly<Record<string, ProgramSpec>> = {
  systemctl: withOptions(SYSTEMCTL),
  journalctl: JOURNALCTL,
}
