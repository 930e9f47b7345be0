/** Programs that show text, work on databases and other machines, or run containers. */
export const MACHINE = `
.container <text> <remote>...
  network, options-first, no-abbreviations
  -d -i -t -P -q --rm --init --read-only --no-healthcheck --detach --interactive --tty --publish-all --quiet
  --privileged: deny
  -e -w -p -l -u -m -h --name --env --workdir --publish --label --user --network --net --memory --cpus <text>
  --restart --hostname --platform --add-host --shm-size --stop-timeout --log-driver --log-opt --ulimit --pull <text>
  --expose --dns --cpu-shares --gpus --stop-signal <text>
  --entrypoint --health-cmd <remote>
  --env-file <read>
  -v --volume --mount <mount>
  --pid --ipc --userns --cap-add --security-opt --device --volumes-from --cgroupns --cgroup-parent --uts <deny>
  --sysctl --runtime --cidfile --label-file --group-add <deny>

.image-build <list>...
  network, no-abbreviations
  *
  -t --tag --build-arg --target --platform --label --progress --cache-from --cache-to --network <text>
  -f --file <read>
  -o --output --iidfile --metadata-file <write>
  --secret --ssh --allow <deny>

less|more|most <read>...
  -a -B -c -C -d -e -E -f -F -g -G -i -I -J -m -M -n -N -q -Q -r -R -s -S -u -U -w -W -X
  --lesskey-file --log-file --LOG-FILE --tag-file: deny
  -b -h -j -p -P -x -y -z <text>
  -o -O <sideWrite>
  -k -K -t -T -D <deny>
  prefixes: +

man <read>...
  mixed-operands
  -a -d -D -f -i -I -k -K -l -t -u -w -W --all --local-file --where
  -c --catman: deny
  -s -S -L -e -r -R -E --sections --locale --extension <text>
  -P -C -M -m -p --pager --config-file --manpath --systems --preprocessor <deny>
  -H -T -X -Z --html --troff-device --gxditview --ditroff [deny]

ed|ex <write>...
  -s -v -n -R -E
  -c --cmd <code>
  prefixes: +
  stdin: code

vi|vim|nvim|view|nano|emacs <write>...
  -R -n -N
  -c --cmd <code>
  -S -s -u -U -i -W -w <deny>
  prefixes: +
  stdin: code

sqlite3 <write> <code>...
  no-abbreviations, single-hyphen
  -readonly -header -noheader -csv -json -column -line -list -table -markdown -box -html -quote -tabs -bail -batch
  -version
  -cmd <code>
  -init <script>
  -separator -nullvalue <text>
  stdin: shell

psql <text>...
  network
  *
  -c --command <code>
  -f --file <script>
  -d -U -h -p -v -F -R --dbname --username --host --port <text>
  -o -L --output --log-file <write>
  stdin: shell

rsync <write>...
  network, last-is-target
  -a -v -r -l -p -t -g -o -D -z -h -n -u -P -q -c -d -H -A -X -S -W -x -i -4 -6 --archive --verbose --recursive
  --links --perms --times --compress --human-readable --dry-run --update --progress --delete --delete-after
  --delete-before --stats --quiet --checksum --itemize-changes --partial --existing --ignore-existing --size-only
  --numeric-ids --safe-links --copy-links
  -f --exclude --include --filter --max-size --min-size --bwlimit --chmod <text>
  -e --rsh --rsync-path <program>
  -T -M --config --password-file --files-from --temp-dir --log-file --daemon --remote-option <deny>
  --exclude-from --include-from <read>

cd|pushd <chdir>...
  tolerant
  -L -P -e -n -@

ps|top <setting>...
  tolerant
  -b -c -i -S -A -a -d -e -f -F -l -L -j -M -T -u -x -w -y -H --no-headers --forest
  -n -C -g -G -o -O -p -q -s -t -U --sort --format --columns --pid --ppid --user <text>

docker|podman
  network, options-first, no-abbreviations, other-subcommands
  -D -v --debug --version
  -l -c --log-level --context <text>
  -H --host --config --tlscacert --tlscert --tlskey --url --connection --identity <deny>

docker run|create|exec
  like: .container

docker container
  other-subcommands

docker container run|create
  like: .container

docker build
  like: .image-build

docker cp <tree> <write>...
  -a -L -q

docker save|export <text>...
  -o --output <write>

docker load|import <read> <text>...
  -q
  -i --input <read>

docker plugin <deny>...
  without-operands: deny

docker swarm|service|stack|trust <deny>...

docker buildx
  other-subcommands

docker buildx build
  like: .image-build

docker context

docker context ls|show
  other-subcommands

docker compose <text>...
  network, other-subcommands
  *
  -f --file --env-file <read>
  --project-directory <tree>
  works-in: --project-directory
  -p --project-name --profile <text>

docker compose run|exec|create
  like: .container
  -T --no-deps --service-ports --use-aliases --build --remove-orphans --no-TTY

# Clusters and clouds. A command that shows credentials or uses others needs the owner.
kubectl|terraform|helm <text>...
  network, no-abbreviations, single-hyphen, mixed-operands, other-subcommands
  *
  --chdir <tree>
  works-in: --chdir
  -n -o -l -c --namespace --output --selector --container <text>
  -d --state --state-out --out --destination <write>
  -s --kubeconfig --token --plugin-dir --as --as-group --server --certificate-authority --client-key <deny>
  --client-certificate <deny>
  -f --filename --var-file <read>

kubectl edit|proxy|plugin|console <deny>...
  without-operands: deny

kubectl cp <tree> <write>...
  *
  -n -c --namespace --container <text>

kubectl exec|run|debug <text> <remote>...
  *
  -n -c -l --namespace --container --image --labels --env --port <text>
  -f --filename <read>

kubectl config
  other-subcommands
  *
  --raw: deny

kubectl config set|set-credentials <deny>...

kubectl config view
  *
  --raw: deny

kubectl install|upgrade|template <text> <read>...
  mixed-operands
  *
  --post-renderer <program>
  -f --values --set-file <read>
  -n --namespace --set --version <text>

openssl

openssl version
  other-subcommands

openssl rand
  --hex --base64
`
