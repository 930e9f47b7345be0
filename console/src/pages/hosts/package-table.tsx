import { Table, type Column } from '../../ui/index.js'
import type { PackageDifference } from './model.js'
import { t } from './texts.js'

/** Shows the packages that hosts have in different versions. */
export function PackageTable({ packages }: { readonly packages: readonly PackageDifference[] }) {
  return (
    <div class="cluster-packages">
      <Table caption={t('packages')} rows={packages} rowKey={({ name }) => name} columns={columns()} />
    </div>
  )
}

const columns = (): readonly Column<PackageDifference>[] => [
  { id: 'package', head: t('package'), rowHeader: true, cell: ({ name }) => name },
  {
    id: 'versions',
    head: t('versions'),
    cell: ({ versions }) => (
      <ul class="package-versions">
        {versions.map(({ host, version }, index) => (
          <li key={index} class={version === undefined ? 'amber' : undefined}>
            {version === undefined ? t('packageMissing', { host }) : t('packageVersion', { host, version })}
          </li>
        ))}
      </ul>
    ),
  },
]
