/** systemd: its units and its journal. */
export const SERVICES = `
.systemctl
  -a -l -q -f -r -v -T --all --full --quiet --no-pager --no-legend --no-block --wait --now --runtime --global --user
  --system --no-wall --no-reload --no-ask-password --force --dry-run --show-types --value --plain --no-warn
  --recursive --reverse --after --before --with-dependencies --failed --verbose --stdin
  -h --help --version: query
  -t -p -P -n -o -s --type --state --property --lines --output --job-mode --kill-whom --kill-who --signal <text>
  --kill-value --what --timestamp --preset-mode --check-inhibitors --message --drop-in --when <text>
  -H -M --host --machine --root --image --image-policy --boot-loader-entry --boot-loader-menu <deny>
  --firmware-setup <deny>

systemctl
  like: .systemctl

systemctl status|show|cat|help|list-units|list-unit-files|list-timers|list-sockets|list-paths|list-automounts|
    list-dependencies|list-jobs|list-machines|is-active|is-enabled|is-failed|is-system-running|get-default|start|
    stop|restart|try-restart|reload|reload-or-restart|try-reload-or-restart|kill|clean|freeze|thaw|reset-failed|
    disable|mask|unmask|preset|cancel|daemon-reload|whoami <text>...
  like: .systemctl

# A path can be the unit of any user.
systemctl enable|reenable|link <setting>...
  like: .systemctl

# These start an editor, change the environment of later services, or change the state of the machine.
systemctl edit|set-environment|unset-environment|import-environment|show-environment|set-property|service-log-level|
    service-log-target|bind|mount-image|revert|add-wants|add-requires|isolate|set-default|default|rescue|emergency|
    halt|poweroff|reboot|kexec|soft-reboot|exit|switch-root|sleep|suspend|hibernate|hybrid-sleep|
    suspend-then-hibernate|daemon-reexec|preset-all|log-level|log-target <deny>...
  like: .systemctl
  without-operands: deny

journalctl <text>...
  numeric-options, tolerant
  -a -f -e -r -q -m -x -l -k -N -I --all --follow --pager-end --reverse --quiet --merge --catalog --no-pager
  --no-full --full --no-tail --no-hostname --utc --dmesg --system --user --list-boots --list-invocations --header
  --disk-usage --show-cursor --fields --list-catalog --truncate-newline --list-namespaces
  -h --help --version: query
  --rotate --flush --sync --relinquish-var --smart-relinquish-var --setup-keys --update-catalog --force: deny
  --new-id128: deny
  -u -t -T -p -S -U -o -g -F -c --unit --user-unit --identifier --exclude-identifier --priority --since <text>
  --until --output --output-fields --grep --field --cursor --after-cursor --facility --invocation <text>
  -D -i --file --directory <read>
  --cursor-file <write>
  -M --machine --root --image --image-policy --verify-key --interval --vacuum-size --vacuum-time <deny>
  --vacuum-files --namespace <deny>
  -n -b --lines --boot --case-sensitive [text]
  --verify [deny]
`
