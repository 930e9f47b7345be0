// Starts the nginx and Caddy configurations of this folder for a test: on a free port, with a new certificate.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { root } from '../../tools/lib.mjs'
import { freePort, until } from '../../tools/trial.mjs'
import { deploy, run } from './support.mjs'

/** Public names that the configurations serve. */
export const NAMES = ['bot.example.com', 'console.example.com', 'mynah.example.com']
const CONSOLE = join(root, 'console/dist')

/** Sends a request through the proxy, with a public name that resolves to this machine. */
export function ask(port, name, path, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        servername: name,
        path,
        method,
        rejectUnauthorized: false,
        headers: { host: name, ...headers },
      },
      (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (part) => {
            text += part
          })
          .on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }))
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

/** Writes the configuration of a proxy. Returns the command that starts it. */
export const proxies = {
  nginx({ folder, port, host }) {
    mkdirSync(join(folder, 'logs'))
    const own = (text) =>
      text
        .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
        .replaceAll('127.0.0.1:8086', host)
        .replaceAll('/etc/ssl/mynah', folder)
        .replaceAll('/srv/mynah/bot/node_modules/@mynah/console/dist', CONSOLE)
        .replaceAll('/etc/nginx/mynah-console.conf', join(folder, 'console.conf'))
    writeFileSync(join(folder, 'console.conf'), readFileSync(join(deploy, 'nginx-console.conf'), 'utf8'))
    writeFileSync(join(folder, 'mynah.conf'), own(readFileSync(join(deploy, 'nginx.conf'), 'utf8')))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join(' ')
    writeFileSync(
      join(folder, 'nginx.conf'),
      [
        `user root; daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log warn;`,
        `events {} http { access_log off; ${temporary} include ${folder}/mynah.conf; }`,
      ].join(' '),
    )
    return ['nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]]
  },
  caddy({ folder, port, host }) {
    const text = readFileSync(join(deploy, 'Caddyfile'), 'utf8')
      .replaceAll('127.0.0.1:8086', host)
      .replaceAll('/srv/mynah/bot/node_modules/@mynah/console/dist', CONSOLE)
    const sites = NAMES.reduce(
      (all, name) =>
        all.replace(
          `\n${name} {`,
          `\nhttps://${name}:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
        ),
      text,
    )
    writeFileSync(
      join(folder, 'Caddyfile'),
      `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}/storage\n}\n${sites}`,
    )
    return ['caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']]
  },
}

/** Starts a proxy in front of `origin`. Returns its port and a function that stops it. */
export async function startProxy(program, folder, origin) {
  const port = await freePort()
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=mynah',
    '-addext',
    `subjectAltName=${NAMES.map((name) => `DNS:${name}`).join(',')}`,
    '-keyout',
    join(folder, 'privkey.pem'),
    '-out',
    join(folder, 'fullchain.pem'),
  ])
  const [command, args] = proxies[program]({ folder, port, host: new URL(origin).host })
  const proxy = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: folder } })
  let said = ''
  for (const stream of [proxy.stdout, proxy.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
    })
  const stop = async () => {
    if (proxy.exitCode !== null || proxy.signalCode !== null) return
    const ended = once(proxy, 'exit')
    proxy.kill('SIGTERM')
    await ended
  }
  try {
    await until(program, async () => (await ask(port, 'bot.example.com', '/pub/health')).status === 200, 20_000)
  } catch (error) {
    await stop()
    throw new Error(`${error.message}: ${said}`, { cause: error })
  }
  return { port, stop }
}
