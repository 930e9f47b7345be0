// A bot with buttons: /menu shows a card, and pressing a button sends its command.
import { Card, commands, defineCommand, definePlugin, Image, Text } from 'mynah'

const RANDOM_PICTURE = 'https://picsum.photos/400'

export default definePlugin({
  name: 'bot',
  setup(ctx) {
    ctx.contribute(
      commands,
      defineCommand({
        name: 'menu',
        description: 'Shows what there is',
        run: () => [
          Card({
            title: 'What would you like?',
            buttons: [
              { text: 'A picture', command: '/picture' },
              { text: 'Who am I?', command: '/whoami' },
              { text: 'The platform', url: 'https://core.telegram.org/bots' },
            ],
          }),
        ],
      }),
    )
    ctx.contribute(
      commands,
      defineCommand({
        name: 'picture',
        description: 'Sends a picture',
        run: () => [Image(`${RANDOM_PICTURE}?${Date.now()}`), Text('Here you are.')],
      }),
    )
    ctx.contribute(
      commands,
      defineCommand({
        name: 'whoami',
        description: 'Tells your number',
        run: ({ message }) => `You are ${message.sender.name ?? 'somebody'}, number ${message.sender.id}.`,
      }),
    )
  },
})
