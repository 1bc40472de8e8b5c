/** Stamps by name; copies that are being written were among them, under the empty tenant. */
export const takeOverStamps = `
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'stamp', name, row_number() OVER (PARTITION BY tenant ORDER BY name), words
  FROM stamp WHERE tenant <> '';
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'copy', substr(name, length('copy ') + 1), row_number() OVER (ORDER BY name), words
  FROM stamp WHERE tenant = '' AND name LIKE 'copy %';
  DROP TABLE stamp;
`;
