// Nothing empty was said.
export const nothingEmpty = {
  name: 'nothing empty was said',
  check: ({ shown, messages }) => [
    ...shown.filter(({ texts }) => texts.some((text) => text.trim() === '')).map(({ id }) => `${id} has shown nothing`),
    ...messages
      .filter(
        ({ direction, state, text, segments }) =>
          direction === 'out' && state === 'sent' && text === '' && segments === '[]',
      )
      .map(({ id }) => `row ${id} reads sent and is empty`),
  ],
}
