/**
 * Imports the authoring API of an optional package.
 *
 * @throws Error with the command to install a missing package
 */
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
