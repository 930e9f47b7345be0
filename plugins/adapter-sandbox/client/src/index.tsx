// The console entry: one page on which a person plays the users of a chat platform.
import type { HostApi, Register } from '@mynah/console/entry'
import { SandboxPage } from './page.js'
import { texts } from './texts.js'
import './page.css'

const icon = <svg className="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 3h11v8h-6l-3 2.5V11h-2zM5 6h6M5 8.5h4" /></svg>

export const register: Register = (host: HostApi) => {
  host.addRoute({ path: '/sandbox', name: host.t(texts.sandbox), icon, element: () => <SandboxPage host={host} />, meta: { group: 'operate', order: 40, fullWidth: true } })
}
