import { afterEach, beforeEach, expect, test } from '#jest';
import { readSecretKeys, type SecretKeys } from '../../src/store/sealed-secrets.ts';
import { openAreas } from '../../src/store/sql/areas.ts';
import { openDocuments } from '../../src/store/sql/documents.ts';
import { SECRETS } from '../../src/store/sql/secrets.ts';
import { runSupportProcess } from '../support/run-process.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const [first, second] = ['0a', '1b'].map((byte) => byte.repeat(32)) as [string, string];
const tenants = ['acme', 'apex'];
const names = ['app-tokens', 'token-signing-key'];

let dataDir: string;
let opened: { close(): unknown }[];
beforeEach(() => {
  dataDir = temporaryFolder();
  opened = [];
});
afterEach(async () => {
  for (const one of opened) await one.close();
});

async function open(secretKeys: SecretKeys | null) {
  const store = await storeEngine.openStore(dataDir, { secretKeys });
  opened.push(store);
  return store;
}

/** What is stored, by tenant and name. */
async function stored(): Promise<Record<string, string | null>> {
  const engine = await storeEngine.openEngine(dataDir);
  opened.push(engine);
  const texts: Record<string, string | null> = {};
  for (const tenant of tenants) {
    const documents = openDocuments<string>(engine, openAreas(engine, tenant), {
      tenant,
      kind: SECRETS,
      audit: null,
    });
    for (const name of names) texts[`${tenant} ${name}`] = await documents.get(name);
  }
  return texts;
}

async function fill(secretKeys: SecretKeys | null): Promise<void> {
  const store = await open(secretKeys);
  for (const tenant of tenants)
    for (const name of names)
      await store.forTenant(tenant).secrets.change(name, () => `${name} of ${tenant}`);
}

async function readAll(secretKeys: SecretKeys | null): Promise<string[]> {
  const store = await open(secretKeys);
  const texts = tenants.flatMap((tenant) =>
    names.map((name) => store.forTenant(tenant).secrets.get(name).then(String)),
  );
  return Promise.all(texts);
}

const all = tenants.flatMap((tenant) => names.map((name) => `${name} of ${tenant}`));

/** The ids of the keys that secrets are encrypted with; 'plain' for one that is not. */
const keysOf = (texts: Record<string, string | null>) =>
  Object.values(texts).map((text) => /^sealed:1:(\w{8}):/.exec(text ?? '')?.[1] ?? 'plain');

test('what is written with a key is encrypted, and what was written before is with the next write', async () => {
  const keys = readSecretKeys(first, []);
  await fill(null);
  const store = await open(keys);
  const { secrets } = store.forTenant('acme');
  expect(await secrets.get('app-tokens')).toBe('app-tokens of acme');
  expect(keysOf(await stored())).toEqual(['plain', 'plain', 'plain', 'plain']);
  expect(await secrets.change('app-tokens', (stored) => stored)).toBe('app-tokens of acme');
  expect(keysOf(await stored())).toEqual([keys.current, 'plain', 'plain', 'plain']);
  const before = await stored();
  await secrets.change('app-tokens', (stored) => stored);
  expect(await stored()).toEqual(before);
  expect(await secrets.change('token-signing-key', () => null)).toBeNull();
  expect(await secrets.get('token-signing-key')).toBeNull();
});

test('every secret of every tenant gets the current key, once, while another process reads', async () => {
  const [keys, next] = [readSecretKeys(first, []), readSecretKeys(second, [first])];
  await fill(null);
  const reading = await open(next);
  expect(await (await open(keys)).rotateSecrets()).toEqual({ secrets: 4, rewritten: 4, key: keys.current });
  expect(keysOf(await stored())).toEqual(Array(4).fill(keys.current));
  expect(await reading.forTenant('apex').secrets.get('app-tokens')).toBe('app-tokens of apex');
  expect(await reading.rotateSecrets()).toEqual({ secrets: 4, rewritten: 4, key: next.current });
  expect(await reading.rotateSecrets()).toEqual({ secrets: 4, rewritten: 0, key: next.current });
  expect(await readAll(readSecretKeys(second, []))).toEqual(all);
});

test('a store whose secrets have a key that is not set is not opened, and the sentence names secret and key', async () => {
  const keys = readSecretKeys(first, []);
  await fill(keys);
  await expect(open(null)).rejects.toMatchObject({
    message: `The stored secret 'app-tokens' is encrypted with the key ${keys.current}, but SECRET_KEY is not set. Set SECRET_KEY to that key.`,
  });
  await expect(open(readSecretKeys(second, []))).rejects.toMatchObject({
    message: `The stored secret 'app-tokens' is encrypted with the key ${keys.current}, which is neither SECRET_KEY nor one of SECRET_KEY_OLD. Check SECRET_KEY, or set SECRET_KEY_OLD to that key.`,
    data: { kind: 'secret', value: 'app-tokens', tenant: 'acme' },
  });
});

test('a process without the key neither reads nor replaces what another one has encrypted since', async () => {
  const store = await open(null);
  const { secrets } = store.forTenant('acme');
  await secrets.change('token-signing-key', () => 'plain');
  await (await open(readSecretKeys(first, []))).rotateSecrets();
  const before = await stored();
  await expect(secrets.get('token-signing-key')).rejects.toThrow('SECRET_KEY is not set');
  await expect(secrets.change('token-signing-key', () => 'forged')).rejects.toThrow('SECRET_KEY is not set');
  expect(await stored()).toEqual(before);
  await expect(store.rotateSecrets()).rejects.toThrow('SECRET_KEY is not set');
});

test('a secret that is copied to another tenant or name is refused by its name', async () => {
  await fill(readSecretKeys(first, []));
  const texts = await stored();
  const engine = await storeEngine.openEngine(dataDir);
  opened.push(engine);
  const documents = openDocuments<string>(engine, openAreas(engine, 'apex'), {
    tenant: 'apex',
    kind: SECRETS,
    audit: null,
  });
  await documents.change('token-signing-key', () => texts['acme token-signing-key'] ?? '');
  await documents.change('app-tokens', () => texts['apex token-signing-key'] ?? '');
  const { secrets } = (await open(readSecretKeys(first, []))).forTenant('apex');
  for (const name of names) {
    await expect(secrets.get(name)).rejects.toMatchObject({
      message: `The stored secret '${name}' cannot be decrypted: it is damaged, or was copied from another secret. Restore the database from a backup.`,
    });
  }
});

/** Rotates in a process that dies before it rewrites the secret with that number. */
const rotateAndDie = (last: number) =>
  runSupportProcess('rotate-process.ts', dataDir, second, first, String(last)).ended;

test('a rotation that is killed between two secrets leaves each under one of the keys, and is repeated', async () => {
  await fill(readSecretKeys(first, []));
  const next = readSecretKeys(second, [first]);
  const former = readSecretKeys(first, []).current;
  expect(await rotateAndDie(3)).toMatchObject({ signal: 'SIGKILL', out: '', err: '' });
  const [done, left] = [Array(2).fill(next.current), Array(2).fill(former)];
  expect(keysOf(await stored())).toEqual([...done, ...left]);
  expect(await readAll(next)).toEqual(all);
  const { signal, out } = await rotateAndDie(9);
  expect([signal, JSON.parse(out)]).toEqual([null, { secrets: 4, rewritten: 2, key: next.current }]);
  expect(await readAll(readSecretKeys(second, []))).toEqual(all);
});
