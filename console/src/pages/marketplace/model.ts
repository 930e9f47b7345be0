export const categories = ['adapter', 'ai', 'feature', 'game', 'service', 'tool', 'theme', 'util'] as const
export type Category = (typeof categories)[number]

export interface Update {
  readonly name: string
  readonly current?: string
  readonly latest: string
  readonly description: string
}

export const PAGE_SIZE = 20

/** Returns the short name of a package, which the configuration uses. */
export const shortName = (name: string): string => name.replace(/^@mynah\/plugin-/, '').replace(/^mynah-plugin-/, '')

/** Returns the page of a package. The slash of a scope is encoded. */
export const address = (name: string): string => `/marketplace/${encodeURIComponent(name)}`

/** Returns an address of the web. Others do not become links. */
export const webAddress = (text: string): string | undefined => {
  const cleaned = text
    .replace(/^git\+/, '')
    .replace(/^git:\/\//, 'https://')
    .replace(/\.git$/, '')
  return /^https?:\/\//i.test(cleaned) && URL.canParse(cleaned) ? cleaned : undefined
}

export const categoryOf = (text: string): Category | '' => categories.find((name) => name === text) ?? ''
