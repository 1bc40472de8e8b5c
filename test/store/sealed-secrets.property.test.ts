import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { newSecretNonce, openSecret, readSecretKeys, sealSecret } from '../../src/store/sealed-secrets.ts';
import { anyCharacter } from '../support/any-character.ts';
import { runs } from '../support/soak.ts';

const [one, other, third] = ['0a', '1b', '2c'].map((byte) => byte.repeat(32)) as [string, string, string];
const keys = readSecretKeys(one, []);
const place = { tenant: 'acme', name: 'token-signing-key' };
const text = fc.string({ unit: anyCharacter });
const nonce = fc.uint8Array({ minLength: 12, maxLength: 12 });

const refusal = (why: RegExp) => expect.objectContaining({ message: expect.stringMatching(why) });
const damaged = refusal(/^The stored secret '.*' cannot be decrypted: it is damaged, or was copied/s);

/** What opening a text throws; the text that is returned where it throws nothing. */
function outcome(
  stored: string,
  { at = place, of = keys }: { at?: typeof place; of?: typeof keys | null } = {},
) {
  try {
    return openSecret(stored, at, of);
  } catch (error) {
    return error;
  }
}

test('a secret opens with its key, current or former, and shows neither itself nor a key', () => {
  fc.assert(
    fc.property(text, nonce, (plain, bytes) => {
      const sealed = sealSecret(plain, place, { keys, nonce: bytes });
      expect(sealed).toMatch(/^sealed:1:[0-9a-f]{8}:[\w-]+:sealed$/);
      expect(outcome(sealed)).toBe(plain);
      expect(outcome(sealed, { of: readSecretKeys(other, [third, one]) })).toBe(plain);
    }),
    { numRuns: runs(200) },
  );
  expect(inspect(keys, { depth: 9 }) + JSON.stringify(keys)).not.toMatch(/(0a){4}/);
});

test('the same secret is another text each time', () => {
  const sealed = Array.from({ length: 50 }, () =>
    sealSecret('same', place, { keys, nonce: newSecretNonce() }),
  );
  expect(new Set(sealed).size).toBe(50);
});

test('a secret opens with no other key', () => {
  const sealed = sealSecret('plain', place, { keys, nonce: randomBytes(12) });
  const named = `'token-signing-key' is encrypted with the key ${keys.current}`;
  expect(outcome(sealed, { of: readSecretKeys(other, [third]) })).toEqual(
    refusal(new RegExp(`${named}, which is neither SECRET_KEY nor one of SECRET_KEY_OLD`)),
  );
  expect(outcome(sealed, { of: null })).toEqual(refusal(new RegExp(`${named}, but SECRET_KEY is not set`)));
  // Another key that claims to be the one that is named.
  const foreign = readSecretKeys(other, []).byId.values().next().value;
  const of = { current: keys.current, byId: new Map(foreign && [[keys.current, foreign]]) };
  expect(outcome(sealed, { of })).toEqual(damaged);
});

test('a secret opens for no other tenant and under no other name', () => {
  fc.assert(
    fc.property(text, nonce, fc.constantFrom('tenant', 'name'), fc.string(), (plain, bytes, part, value) => {
      fc.pre(value !== place[part]);
      const sealed = sealSecret(plain, place, { keys, nonce: bytes });
      expect(outcome(sealed, { at: { ...place, [part]: value } })).toEqual(damaged);
    }),
    { numRuns: runs(200) },
  );
});

test('a secret with any changed byte, or with less or more of them, is refused', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 20 }),
      nonce,
      fc.integer({ min: 1, max: 127 }),
      (plain, bytes, flip) => {
        const sealed = sealSecret(plain, place, { keys, nonce: bytes });
        for (let i = 0; i < sealed.length; i += 1) {
          const flipped = String.fromCharCode(sealed.charCodeAt(i) ^ flip);
          expect(outcome(sealed.slice(0, i) + flipped + sealed.slice(i + 1))).toBeInstanceOf(Error);
          expect(outcome(sealed.slice(0, i) + sealed.slice(i + 1))).toBeInstanceOf(Error);
          expect(outcome(sealed.slice(0, i + 1) + sealed.slice(i))).toBeInstanceOf(Error);
        }
      },
    ),
    { numRuns: runs(50) },
  );
});

test('what was stored before there was a key is read as it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.base64String(), fc.json()), (plain) => {
      expect([outcome(plain), outcome(plain, { of: null })]).toEqual([plain, plain]);
    }),
    { numRuns: runs(100) },
  );
});
