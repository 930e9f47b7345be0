// An agent that looks orders up by itself, and pays one back when the owner approves it.
import { definePlugin } from 'mynah'
import { defineTool, tools } from 'mynah/ai'
import { approvalKinds, Approvals, askOwner } from '@mynah/plugin-exec-security/api'

const orders = new Map([
  ['A1', { item: 'plums', cents: 300, state: 'paid' }],
  ['A2', { item: 'pears', cents: 450, state: 'paid' }],
])
const parameters = {
  type: 'object',
  properties: { order: { type: 'string', maxLength: 20 } },
  required: ['order'],
  additionalProperties: false,
}

export default definePlugin({
  name: 'shop',
  needs: { approvals: Approvals },
  setup(ctx) {
    ctx.contribute(approvalKinds, { name: 'refund', title: { en: 'A refund', 'zh-CN': '退款' } })
    ctx.contribute(
      tools,
      defineTool({
        name: 'order',
        description: 'Returns what is known about an order',
        effect: 'read',
        parameters,
        run: ({ order }) => orders.get(order) ?? `There is no order ${order}.`,
      }),
    )
    ctx.contribute(
      tools,
      defineTool({
        name: 'refund',
        description: 'Pays an order back. The owner approves each refund, and the call waits for that.',
        parameters,
        async run({ order }, call) {
          const found = orders.get(order)
          if (found?.state !== 'paid') return `There is no paid order ${order}.`
          const title = `Refund ${found.cents} cents for ${found.item} (${order})`
          const end = await askOwner(ctx.approvals, call, { kind: 'refund', title, text: order, reason: 'it is money' })
          if (end !== 'approved') return `Nothing was paid back: the request was ${end}.`
          found.state = 'refunded'
          return `${found.cents} cents were paid back.`
        },
      }),
    )
  },
})
