/** Small state gets its namespace, which its key begins with, and an order of its own; it stays where it is in the file. */
export const takeOverCache = `
  DROP TABLE cache_entry;
  DROP INDEX cache_expiry;
  ALTER TABLE cache RENAME TO cache_entry;
  ALTER TABLE cache_entry ADD COLUMN namespace TEXT NOT NULL DEFAULT '';
  ALTER TABLE cache_entry ADD COLUMN added INTEGER NOT NULL DEFAULT 0;
  UPDATE cache_entry SET namespace = substr(key, 1, instr(key, ':') - 1), added = rowid;
  CREATE INDEX cache_entry_order ON cache_entry (tenant, namespace, added);
  CREATE INDEX cache_entry_expiry ON cache_entry (tenant, expires_at) WHERE expires_at IS NOT NULL;
`;
