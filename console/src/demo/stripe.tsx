// The stripe that tells visitors of the demo where they are.
import { t } from '../lib/i18n.js'

export const DemoStripe = () => (
  <p class="demo-stripe" role="note">
    {t('demo.stripe')}
  </p>
)
