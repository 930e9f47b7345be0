import type { PageProps } from '../../lib/pages.js'
import { PlatformPage } from './platform.js'
import { ProviderPage } from './provider.js'

/** The form of one of the first steps: a platform or a model. */
export const SetupPage = ({ params }: PageProps) => (params['step'] === 'model' ? <ProviderPage /> : <PlatformPage />)
