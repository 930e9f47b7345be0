/** Programs that reach the network. */
export const NETWORK = `
curl <address>...
  network
  -# -0 -1 -2 -3 -4 -6 -9 -a -B -f -g -G -i -I -j -k -l -L -M -N -p -q -R -s -S -v -Z -O --anyauth --append --basic
  --ca-native --cert-status --compressed --compressed-ssh --create-dirs --crlf --digest --disable --disable-eprt
  --disable-epsv --disallow-username-in-url --doh-cert-status --doh-insecure --fail --fail-early --fail-with-body
  --false-start --form-escape --ftp-create-dirs --ftp-pasv --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc
  --ftp-ssl-control --get --globoff --head --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3
  --http3-only --ignore-content-length --include --insecure --ipv4 --ipv6 --junk-session-cookies --list-only
  --location --location-trusted --manual --metalink --negotiate --no-alpn --no-buffer --no-clobber --no-keepalive
  --no-npn --no-progress-meter --no-sessionid --no-fail --no-location --no-silent --no-verbose --no-remote-name
  --no-compressed --no-include --no-insecure --next --ntlm --ntlm-wb --parallel --parallel-immediate --path-as-is
  --post301 --post302 --post303 --progress-bar --proxy-anyauth --proxy-basic --proxy-digest --proxy-insecure
  --proxy-negotiate --proxy-ntlm --proxytunnel --raw --remote-time --remove-on-error --retry-all-errors
  --retry-connrefused --sasl-ir --show-error --silent --skip-existing --socks5-basic --socks5-gssapi --ssl
  --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke --ssl-reqd --ssl-revoke-best-effort --sslv2 --sslv3
  --styled-output --suppress-connect-headers --tcp-fastopen --tcp-nodelay --tftp-no-options --tlsv1 --tlsv1.0
  --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace-ids --trace-time --use-ascii --verbose --remote-name
  --remote-name-all
  -n -J --netrc --netrc-optional --haproxy-protocol --xattr --remote-header-name: deny
  -h -V --help --version: query
  -A -C -e -m -P -r -t -u -U -X -y -Y -z --aws-sigv4 --cert-type --ciphers --connect-timeout --continue-at <text>
  --create-file-mode --curves --delegation --dns-ipv4-addr --dns-ipv6-addr --expect100-timeout --form-string <text>
  --ftp-account --ftp-alternative-to-user --ftp-method --ftp-port --ftp-ssl-ccc-mode <text>
  --happy-eyeballs-timeout-ms --hostpubmd5 --hostpubsha256 --interface --keepalive-time --key-type --krb <text>
  --limit-rate --local-port --login-options --mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs <text>
  --max-time --noproxy --oauth2-bearer --parallel-max --pass --pinnedpubkey --proto --proxy-user --range <text>
  --rate --referer --request --request-target --retry --retry-delay --retry-max-time --sasl-authzid <text>
  --service-name --speed-limit --speed-time --tftp-blksize --time-cond --tls-max --tls13-ciphers <text>
  --tlsauthtype --tlspassword --tlsuser --user --user-agent --data-raw <text>
  -d -F -H -w -b -T --data --data-ascii --data-binary --data-urlencode --json --form --header <upload>
  --proxy-header --write-out --cookie --url-query --variable --trace-config --upload-file <upload>
  --etag-compare --cacert --capath --crlfile --pubkey <read>
  -o -D -c --output --dump-header --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts --alt-svc <fetch>
  --output-dir <fetch>
  works-in: --output-dir
  --libcurl <sideWrite>
  --url <address>
  -K -E -x -Q --config --proto-redir --engine --netrc-file --cert --key --proxy-cert --proxy-key <deny>
  --unix-socket --abstract-unix-socket --proxy --preproxy --proxy1.0 --socks4 --socks4a --socks5 <deny>
  --socks5-hostname --proto-default --quote --doh-url --egd-file --random-file --telnet-option --ipfs-gateway <deny>
  --connect-to --resolve --dns-servers --dns-interface --ech --proxy-cacert --proxy-capath --proxy-cert-type <deny>
  --proxy-ciphers --proxy-crlfile --proxy-key-type --proxy-pass --proxy-pinnedpubkey --proxy-service-name <deny>
  --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser --socks5-gssapi-service <deny>

# '-n' is the first half of '-nv', '-nc', '-np', '-nd' and '-nH'.
wget <address>...
  network
  -d -q -v -c -S -F -E -k -K -m -p -H -r -L -h -V -x -N -4 -6 -j --debug --quiet --verbose --no-verbose --continue
  --server-response --timestamping --no-if-modified-since --no-use-server-timestamps --force-html --no-clobber
  --show-progress --spider --no-check-certificate --no-dns-cache --no-cookies --no-cache --no-http-keep-alive
  --ignore-length --content-on-error --no-directories --force-directories --no-host-directories
  --protocol-directories --adjust-extension --convert-links --backup-converted --mirror --page-requisites
  --span-hosts --relative --recursive --no-parent --inet4-only --inet6-only --https-only --no-hsts --random-wait
  --retry-connrefused --no-netrc --no-passive-ftp --no-glob --no-iri --auth-no-challenge --save-headers
  --no-warc-compression --keep-session-cookies --delete-after --unlink --html-extension
  -b --no-config --content-disposition --trust-server-names --no-proxy --ask-password --background: deny
  --help --version: query
  -t -w -T -Q -l -A -R -D -I -X -U -B --tries --start-pos --dns-timeout --connect-timeout --read-timeout <text>
  --timeout --wait --waitretry --limit-rate --quota --prefer-family --user --password --cut-dirs --header <text>
  --max-redirect --referer --user-agent --post-data --method --body-data --secure-protocol --certificate-type <text>
  --private-key-type --pinnedpubkey --ciphers --level --accept --reject --accept-regex --reject-regex <text>
  --regex-type --domains --exclude-domains --include-directories --exclude-directories --follow-tags <text>
  --ignore-tags --warc-header --warc-max-size --local-encoding --remote-encoding --restrict-file-names <text>
  --ftp-user --ftp-password --retry-on-http-error --report-speed --compression --base <text>
  --post-file --body-file <upload>
  --ca-certificate --ca-directory --crl-file <read>
  -O -o -a -P --output-document --output-file --append-output --directory-prefix --save-cookies --hsts-file <fetch>
  --rejected-log --default-page --warc-file --warc-tempdir <fetch>
  -e -i --execute --use-askpass --config --input-file --private-key --certificate --load-cookies <deny>
  --bind-address --proxy-user --proxy-password --random-file --egd-file --warc-dedup --preferred-location <deny>
  -n --backups --progress [text]

ping <address>...
  network
  -a -A -b -B -d -D -f -h -L -n -O -q -r -R -U -v -V -4 -6 -3
  -c -e -F -i -I -l -m -M -N -p -Q -s -S -t -T -w -W <text>

dig <text>...
  network
  -4 -6 -h -i -m -r -u -v
  -b -c -p -q -t -x -y <text>
  -f -k <read>

nslookup <text>...
  network, single-hyphen
  -debug -nodebug -d2 -nod2 -recurse -norecurse -vc -novc -search -nosearch -version
  -q -type -querytype -query -port -timeout -retry -class -domain [text]

host <text>...
  network
  -a -A -C -d -l -r -s -T -U -v -V -w -4 -6
  -c -N -p -R -t -W -m <text>

ping6|traceroute <address>...
  network
  -d -F -I -T -n -r -4 -6
  -f -g -i -m -N -p -q -s -w -z -c -W <text>

ssh <address> <remote>...
  network, options-first
  -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -v -V -X -x -Y -y
  -b -c -D -e -L -l -m -O -p -Q -W -w <text>
  -B -F -I -i -J -o -R -S <deny>
  -E <sideWrite>

scp|sftp <write>...
  network, last-is-target
  -3 -4 -6 -A -B -C -N -O -p -q -R -r -s -T -v -a -f
  -c -l -P <text>
  -D -F -i -J -o -S -X -b <deny>

nc|ncat|netcat|telnet <address> <text>...
  network, other-subcommands
  -l: deny
  -e -c --exec --sh-exec --lua-exec <deny>

socat <address>...
  like: nc
`
