const PORT = 3128
const ADDRESS = `http://127.0.0.1:${PORT}`

/** A program that passes connections to a port of the loopback on to a socket. */
export interface Bridge {
  readonly kind: 'socat' | 'perl' | 'node'
  /** The full path of the program, as the view has it. */
  readonly program: string
}

/** Returns when it listens, and serves in the background. */
const PERL = [
  'use Socket;',
  'socket(L,PF_INET,SOCK_STREAM,0);setsockopt(L,SOL_SOCKET,SO_REUSEADDR,1);',
  `bind(L,sockaddr_in(${PORT},INADDR_LOOPBACK)) or die $!;listen(L,64);`,
  'exit 0 if fork;',
  'open STDIN,"</dev/null";open STDOUT,">/dev/null";open STDERR,">/dev/null";$SIG{CHLD}="IGNORE";',
  'while(accept(C,L)){if(fork){close C;next}',
  'socket(U,PF_UNIX,SOCK_STREAM,0);connect(U,sockaddr_un($ARGV[0])) or exit 1;my %open=(C=>1,U=>1);',
  'for(;;){my $r="";for(keys %open){vec($r,fileno($_ eq "C"?*C:*U),1)=1}',
  'select($r,undef,undef,undef)<0 and next;',
  'for my $p(["C",*C,*U],["U",*U,*C]){my($n,$from,$to)=@$p;next unless $open{$n}&&vec($r,fileno($from),1);',
  'my $got=sysread($from,my $b,65536);',
  'unless($got){delete $open{$n};shutdown($to,1);%open or exit 0;next}',
  'my $o=0;while($o<$got){my $w=syswrite($to,$b,$got-$o,$o);defined $w or exit 0;$o+=$w}}}}',
].join('')

const NODE = [
  'const net=require("net");',
  'net.createServer({allowHalfOpen:true},(c)=>{const u=net.connect({path:process.argv[1],allowHalfOpen:true});',
  'for(const[a,b]of[[c,u],[u,c]]){a.on("error",()=>b.destroy());a.pipe(b)}})',
  `.listen(${PORT},"127.0.0.1")`,
].join('')

/** How often bash looks whether the bridge listens: 500 looks take some seconds, enough for a busy machine. */
const LOOKS = 500
const WAIT =
  `for ((i = 0; i < ${LOOKS}; i++)); do { : <>/dev/tcp/127.0.0.1/${PORT}; } 2>/dev/null && break; ` +
  'read -rt 0.01 _ <> <(:); done; '

/** Returns the commands of bash that start the bridge and wait until it listens. */
export function bridgeScript({ kind, program }: Bridge, socket: string): string {
  const quoted = quote(program)
  switch (kind) {
    case 'perl':
      return `${quoted} -e ${quote(PERL)} ${socket} || exit; `
    case 'socat':
      return background(`${quoted} TCP4-LISTEN:${PORT},bind=127.0.0.1,reuseaddr,fork UNIX-CONNECT:${socket}`)
    case 'node':
      return background(`${quoted} -e ${quote(NODE)} ${socket}`)
  }
}

const background = (command: string): string => `(${command} </dev/null >/dev/null 2>&1 &); ${WAIT}`

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The variables by which programs find the proxy. */
export const proxyEnvironment = (): Record<string, string> => ({
  http_proxy: ADDRESS,
  https_proxy: ADDRESS,
  HTTP_PROXY: ADDRESS,
  HTTPS_PROXY: ADDRESS,
  ALL_PROXY: ADDRESS,
  npm_config_proxy: ADDRESS,
  npm_config_https_proxy: ADDRESS,
  // The fetch of Node 24 follows these variables with this one.
  NODE_USE_ENV_PROXY: '1',
  no_proxy: 'localhost,127.0.0.1,::1',
  NO_PROXY: 'localhost,127.0.0.1,::1',
})
