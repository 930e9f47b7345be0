import type { HostApi, Register } from '@mynah/console/entry'
import { SandboxPage } from './page.js'
import { pageDefinition } from './page-definition.js'
import './page.css'

export const register: Register = (host: HostApi) => {
  host.addRoute({ ...pageDefinition, name: host.t(pageDefinition.name), element: () => <SandboxPage host={host} /> })
}
