import { readSecretKeys } from '../../src/store/sealed-secrets.ts';
import { storeEngine } from './store-engine.ts';

/**
 * A process that rotates the secrets in its folder, from one key to another, and kills itself before it runs that
 * statement which would rewrite the secret with the number it is given.
 */
const [dataDir = '', key = '', oldKey = '', last = ''] = process.argv.slice(2);

let writes = 0;
const store = await storeEngine.openStore(dataDir, {
  secretKeys: readSecretKeys(key, [oldKey]),
  onStatement(sql) {
    if (/^update "document"/.test(sql)) writes += 1;
    if (String(writes) === last) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(JSON.stringify(await store.rotateSecrets()));
await store.close();
