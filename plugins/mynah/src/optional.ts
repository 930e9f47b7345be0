// Packages that a user may or may not have installed beside this one.

/** The authoring API of an optional package. */
export async function optional(name: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(`${name}/api`)) as Readonly<Record<string, unknown>>
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(name)) {
      throw new Error(`The package ${name} is not installed; add it with: npm install ${name}`, { cause: error })
    }
    throw error
  }
}
