/** Formats as `6d 04:12` or `04:12:33`, with the word for days in the language. */
export function duration(seconds: number, locale: string): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (value: number): string => String(value).padStart(2, '0')
  const days = Math.floor(whole / 86_400)
  const clock = `${two(Math.floor(whole / 3600) % 24)}:${two(Math.floor(whole / 60) % 60)}`
  return days > 0 ? `${days}${locale === 'zh-CN' ? ' 天' : 'd'} ${clock}` : `${clock}:${two(whole % 60)}`
}

/** Bytes with a unit, three figures. */
export function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let rest = value
  let unit = 0
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1024
    unit += 1
  }
  return `${unit === 0 ? rest : rest.toPrecision(3)} ${units[unit]}`
}

/** Formats a number as `12,345.678`, as both languages do. Without Intl, for the same reason as `ago`. */
export function groupThousands(value: number): string {
  const [whole = '', part] = String(Math.abs(value) < 1e15 ? Math.round(value * 1000) / 1000 : value).split('.')
  const groups = whole.includes('e') ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return part === undefined ? groups : `${groups}.${part}`
}

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const
const CHINESE = { d: '天', h: '小时', min: '分钟', s: '秒' } as const

/**
 * Formats a relative time as `12 s ago`, `in 4 min` or `yesterday`. Without Intl, whose first formatter takes longer
 * to create than the page.
 */
export function ago(time: number, now: number, locale: string): string {
  const seconds = Math.round((time - now) / 1000)
  const size = Math.abs(seconds)
  const chinese = locale === 'zh-CN'
  if (size === 0) return chinese ? '刚刚' : 'now'
  const [length, unit] = UNITS.find(([least]) => size >= least) ?? [1, 's']
  const count = Math.round(size / length)
  const past = seconds < 0
  if (unit === 'd' && count === 1) {
    if (chinese) return past ? '昨天' : '明天'
    return past ? 'yesterday' : 'tomorrow'
  }
  if (chinese) return `${count} ${CHINESE[unit]}${past ? '前' : '后'}`
  const text = unit === 'd' ? `${count} days` : `${count} ${unit}`
  return past ? `${text} ago` : `in ${text}`
}

const NAME_LENGTH = 60

/** Returns the first line of a text, cut at a word if it is long. */
export function shortName(text: string): string {
  const [line = ''] = text.split('\n', 1)
  if (line.length <= NAME_LENGTH) return line
  const cut = line.slice(0, NAME_LENGTH)
  const space = cut.lastIndexOf(' ')
  return `${(space > NAME_LENGTH / 2 ? cut.slice(0, space) : cut).replace(/[,;:.]$/, '')}…`
}
