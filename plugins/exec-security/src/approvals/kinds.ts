import { WireError } from '@mynah/contract'
import type { Reader } from '@mynah/kernel'
import type { ApprovalKind } from '../api.js'

/** The kinds that this host has itself. Others come from plugins. */
export const OWN_KINDS: readonly ApprovalKind[] = [
  { name: 'bash', title: { en: 'A shell command', 'zh-CN': 'shell 命令' } },
  { name: 'home', title: { en: 'A call of the home', 'zh-CN': '家居调用' } },
  { name: 'skill', title: { en: 'A skill', 'zh-CN': '技能' } },
  { name: 'job', title: { en: 'A job', 'zh-CN': '作业' } },
  { name: 'pairing', title: { en: 'A stranger in a private chat', 'zh-CN': '私聊中的陌生人' } },
  { name: 'host', title: { en: 'A host in the network', 'zh-CN': '网络主机' } },
  { name: 'path', title: { en: 'A path of this machine', 'zh-CN': '本机路径' } },
  { name: 'package', title: { en: 'A package', 'zh-CN': '软件包' } },
]

/** @throws WireError `invalid_request` for a kind that no plugin has registered */
export function assertKind(kinds: Reader<ApprovalKind>, name: string): void {
  if (kinds.get(name) === undefined)
    throw new WireError('invalid_request', `"${name}" is no kind of approval; contribute it to approvalKinds first`)
}
