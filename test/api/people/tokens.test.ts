import { millisecondsInDay } from 'date-fns/constants';
import fc from 'fast-check';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { createTokens, type Tokens } from '../../../src/api/people/tokens.ts';
import { AppError } from '../../../src/model/error.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { principalOf } from '../../support/principal-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const clock = { now: Date.parse('2026-03-18T12:00:00Z') };
const dataDir = temporaryFolder();

let store: TestStore;
let tokens: Tokens;
let token: string;
let key: Buffer;
beforeAll(async () => {
  store = await openTestStore(dataDir);
  tokens = createTokens({ store, now: () => clock.now });
  token = await tokens.issue({ user: 'ada', admin: false, lifetimeMs: millisecondsInDay });
  key = Buffer.from((await store.secrets.get('token-signing-key')) ?? '', 'base64');
});
afterAll(() => store.close());

/** Why a token is refused; the failure must not hold any of its parts. */
async function refusalOf(text: string): Promise<string> {
  try {
    await tokens.verify(text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('not-authenticated');
    expect(error.message).toBe('Unauthorized access');
    expect(error.details).toHaveLength(1);
    expect(error.cause).toBeUndefined();
    const told = `${error.stack} ${JSON.stringify(error)}`;
    for (const secret of text.split('.').filter((part) => part.length > 12))
      expect(told).not.toContain(secret);
    return error.details[0] ?? '';
  }
  throw new Error('the token was accepted');
}

async function idOf(text: string): Promise<string> {
  return JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()).jti;
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of our shape, signed and dated as told. */
async function forged(
  claims: Record<string, unknown>,
  signedWith: Uint8Array = key,
  alg = 'HS256',
): Promise<string> {
  const whole = {
    admin: true,
    jti: await idOf(token),
    sub: 'ada',
    iss: 'dwell',
    aud: 'dwell',
    exp: 4_000_000_000,
    ...claims,
  };
  return new SignJWT(JSON.parse(JSON.stringify(whole))).setProtectedHeader({ alg }).sign(signedWith);
}

describe('a token', () => {
  test('speaks for its user with the rights it was issued with', async () => {
    expect(await tokens.verify(token)).toEqual(principalOf('ada'));
    const ofAdmin = await tokens.issue({ user: 'grace', admin: true, lifetimeMs: millisecondsInDay });
    expect(await tokens.verify(ofAdmin)).toEqual(principalOf('grace', 'admin'));
  });

  test('tells its record', async () => {
    const id = await idOf(token);
    expect(await tokens.recordOf(token)).toMatchObject({ id, user: 'ada', admin: false });
    expect(await tokens.isActive(id)).toBe(true);
    expect(await tokens.isActive('another')).toBe(false);
  });

  test('has the rights of its record, whatever it says itself', async () => {
    expect(await tokens.verify(await forged({ admin: true, sub: 'grace' }))).toEqual(principalOf('ada'));
  });

  test('names its tenant, and holds without one, as before there were tenants', async () => {
    expect(decodeJwt(token)).toMatchObject({ tenant: 'default' });
    expect(await tokens.verify(await forged({}))).toEqual(principalOf('ada'));
    expect(await refusalOf(await forged({ tenant: 'another' }))).toBe('tisjwt is invalid.');
  });

  test('holds in another process and after a restart', async () => {
    const other = await openTestStore(dataDir);
    expect(await createTokens({ store: other, now: () => clock.now }).verify(token)).toEqual(
      principalOf('ada'),
    );
    other.close();
  });

  test('is kept nowhere as text', async () => {
    const [, , signature = ''] = token.split('.');
    expect(JSON.stringify(await tokens.list())).not.toContain(signature);
  });
});

describe('a token is refused', () => {
  test('when it has expired, to the second', async () => {
    const brief = await tokens.issue({ user: 'ada', admin: false, lifetimeMs: 60_000 });
    const start = clock.now;
    clock.now = start + 59_000;
    expect(await tokens.verify(brief)).toEqual(principalOf('ada'));
    clock.now = start + 60_000;
    expect(await refusalOf(brief)).toBe('tisjwt is expired.');
    clock.now = start;
  });

  test('while it is switched off', async () => {
    const id = await idOf(token);
    await tokens.setActive(id, false);
    expect(await refusalOf(token)).toBe('tisjwt is deactivated.');
    expect(await tokens.isActive(id)).toBe(false);
    await tokens.setActive(id, true);
    expect(await tokens.isActive(id)).toBe(true);
    expect(await tokens.verify(token)).toEqual(principalOf('ada'));
  });

  test('with the name of its user where it once held, and only there', async () => {
    const brief = await tokens.issue({ user: 'grace', admin: false, lifetimeMs: 60_000 });
    const lapsedOf = async (text: string) => tokens.verify(text).catch((error: unknown) => error);
    expect(await lapsedOf('nonsense')).toMatchObject({ lapsedOf: null });
    expect(await lapsedOf(await forged({ jti: 'another' }))).toMatchObject({ lapsedOf: null });
    clock.now += 60_000;
    expect(await lapsedOf(brief)).toMatchObject({ lapsedOf: 'grace' });
    clock.now -= 60_000;
    await tokens.setActive(await idOf(brief), false);
    expect(await lapsedOf(brief)).toMatchObject({ lapsedOf: 'grace' });
  });

  test('when this service never issued it', async () => {
    expect(await refusalOf(await forged({ jti: 'another' }))).toBe(
      'tisjwt is invalid: this service never issued it.',
    );
  });

  test.each<[string, () => Promise<string> | string]>([
    ['signed with another key', () => forged({}, Buffer.alloc(32, 7))],
    ['signed by another method', () => forged({}, Buffer.alloc(64, 7), 'HS512')],
    ['signed with our key by another method', () => forged({}, Buffer.concat([key, key]), 'HS512')],
    ['of another issuer', () => forged({ iss: 'elsewhere' })],
    ['for another audience', () => forged({ aud: 'elsewhere' })],
    ['without an end', () => forged({ exp: undefined })],
    ['without an id', () => forged({ jti: undefined })],
    ['without a user', () => forged({ sub: undefined })],
    ['not valid yet', () => forged({ nbf: 4_000_000_000 })],
    [
      'that is not signed',
      async () =>
        new UnsecuredJWT({ jti: await idOf(token), sub: 'ada', exp: 4_000_000_000 })
          .setIssuer('dwell')
          .setAudience('dwell')
          .encode(),
    ],
    [
      'with "alg": "none" and our signature',
      () => [encoded({ alg: 'none', typ: 'JWT' }), ...token.split('.').slice(1)].join('.'),
    ],
    [
      'whose payload was changed',
      () => {
        const [header, payload = '', signature] = token.split('.');
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
        return [header, encoded({ ...claims, sub: 'grace' }), signature].join('.');
      },
    ],
    [
      'with a critical header nobody knows',
      () => [encoded({ alg: 'HS256', crit: ['oops'], oops: 1 }), ...token.split('.').slice(1)].join('.'),
    ],
    ['that is encrypted', () => `${token}.${'a'.repeat(20)}.${'b'.repeat(20)}`],
    ['that is empty', () => ''],
    ['of dots', () => '..'],
  ])('%s', async (_, text) => expect(await refusalOf(await text())).toBe('tisjwt is invalid.'));

  test('when any of its characters is another, missing or one too many', () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom('', 'A', 'z', '.', '=', ' ', 'é', 'AA'),
        async (place, instead) => {
          const at = place % token.length;
          const bent = token.slice(0, at) + instead + token.slice(at + 1);
          // The last character of the signature holds two bits that mean nothing.
          if (bent === token || at === token.length - 1) return;
          expect(await refusalOf(bent)).toMatch(/^tisjwt is /);
        },
      ),
    ));

  test('whatever garbage it is', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), async (text) => {
        expect(await refusalOf(text)).toBe('tisjwt is invalid.');
      }),
    ));
});

test('setActive refuses an id that was never issued, without repeating it', async () => {
  await expect(tokens.setActive('nobody-has-this', false)).rejects.toMatchObject({
    code: 'not-found',
    message: expect.not.stringContaining('nobody-has-this'),
  });
});
