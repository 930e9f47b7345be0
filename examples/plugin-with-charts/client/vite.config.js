// Builds the page. Its place is declared here: the console shows it at once, and loads the libraries when the page is opened.
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
