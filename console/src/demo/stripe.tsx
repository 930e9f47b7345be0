// The stripe that tells visitors of the demo where they are.
import { defineTexts } from '../kit/texts.js'

// Pure, so that the full console has none of it.
const t = /* @__PURE__ */ defineTexts(
  {
    stripe:
      'Demo: everybody shares this host. Nothing can be changed, and what is said in the sandbox can be read by others.',
  },
  { stripe: '演示：此主机由所有人共用，无法更改任何内容；你在沙盒中说的话，别人也能看到。' },
)

export const DemoStripe = () => (
  <p class="demo-stripe" role="note">
    {t('stripe')}
  </p>
)
