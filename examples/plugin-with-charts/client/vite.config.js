// Builds the page. The manifest lets the console list it at once, and load its libraries when it is opened.
import { entryPreset } from '@mynah/console/entry-preset'

export default entryPreset({
  root: import.meta.dirname,
  manifest: {
    routes: [
      {
        path: '/memory-chart',
        name: { en: 'Memory chart', 'zh-CN': '内存图表' },
        icon: 'dashboard',
        meta: { group: 'extensions', order: 50 },
      },
    ],
  },
})
