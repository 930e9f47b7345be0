// Public API of the database for other plugins. Importing it loads no database driver.
export * from '@mynah/database-api'
