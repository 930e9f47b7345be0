import { defineTexts } from '../../kit/texts.js'

export const t = defineTexts({ host: 'Host', allHosts: 'All hosts' }, { host: '主机', allHosts: '所有主机' })
