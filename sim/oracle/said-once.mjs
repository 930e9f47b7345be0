// Every answer is said once, or is `unknown`, and that is told.

function repeated({ shown }) {
  const counts = new Map()
  for (const { texts, isDeleted } of shown) {
    if (isDeleted) continue
    for (const [said] of texts.at(-1).matchAll(/\becho m\d+\b/g)) counts.set(said, (counts.get(said) ?? 0) + 1)
  }
  return [...counts].filter(([, times]) => times > 1).map(([said, times]) => `"${said}" was said ${times} times`)
}

function unsaid({ shown, messages }) {
  const isShown = ({ text }) => shown.some(({ texts }) => texts.at(-1).includes(text))
  return messages
    .filter((row) => row.direction === 'out' && row.state === 'sent' && !isShown(row))
    .map(({ id, text }) => `row ${id} reads sent, and nobody saw "${text}"`)
}

export const saidOnce = {
  name: 'every answer is said once, or is unknown and told',
  check: (facts) => [...repeated(facts), ...unsaid(facts)],
}
