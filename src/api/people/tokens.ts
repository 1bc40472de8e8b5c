import { createHmac, randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { noteRequest } from '../../concurrency/request-scope.ts';
import { isPseudonym } from '../../model/erasure.ts';
import { AppError } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { type Principal, principalIn } from '../../model/request.ts';
import type { TenantStore, TokenRecord } from '../../store/store.ts';
import { knownLogins } from './logins.ts';
import { keyNamedIn, openSigningKeys, type SigningKeys } from './signing-keys.ts';

const ISSUER = 'dwell';

/** The user a token is for, what it allows, and for how long (ms). */
interface TokenInput {
  readonly user: string;
  readonly admin: boolean;
  readonly lifetimeMs: number;
}

/** Issues and checks the tokens of the REST door. The text of a token is shown once and stored nowhere. */
export interface Tokens {
  /** The tracker whose users the tokens are for. */
  readonly tenant: string;
  issue(input: TokenInput): Promise<string>;
  /** The principal of a token; NotAuthenticated with the problem of a token that is not valid. */
  verify(token: string): Promise<Principal>;
  /** The id of the token that `verify` returned this very principal for; null for any other. */
  provenBy(principal: Principal): string | null;
  /** The record of a token; it fails as `verify` does. */
  recordOf(token: string): Promise<TokenRecord>;
  /** True if a token is switched on; expired ones are, unless they were switched off. */
  isActive(id: string): Promise<boolean>;
  /** The keys that tokens are signed with, for what else this installation encrypts. */
  readonly keys: SigningKeys;
  /** Newest first; a token whose key ends before it does expires with its key. */
  list(): Promise<readonly TokenRecord[]>;
  /** Switches a token off or on again; `not-found` for an id that was never issued. */
  setActive(id: string, active: boolean): Promise<void>;
}

interface TokensParts {
  readonly store: Pick<TenantStore, 'tenant' | 'tokens' | 'secrets'>;
  readonly now: () => Instant;
}

/**
 * Tokens as signed JWTs (HS256, RFC 7519) whose record in the store says whether they are switched on. Each tenant has a
 * key of its own; one that was issued before there were tenants names none.
 */
export function createTokens({ store: { tenant, tokens, secrets }, now }: TokensParts): Tokens {
  const keys = openSigningKeys({ secrets, now });
  const readId = createReadId(tenant, now);
  const recordOf = async (token: string) => {
    const key = await keyNamedIn(token, keys);
    if (key === null) throw new NotAuthenticated('tisjwt is invalid.');
    if (key.bytes === null)
      throw new NotAuthenticated('tisjwt is invalid: the key that it was signed with is no longer in use.');
    const id = await readId(token, key.bytes);
    const record = await tokens.get(id);
    if (record === null) throw new NotAuthenticated('tisjwt is invalid: this service never issued it.');
    if (!record.active) throw new NotAuthenticated('tisjwt is deactivated.', { lapsedOf: record.user });
    return record;
  };
  // Beside the principal and not in it: it is no part of a request, which is stored and compared.
  const proofs = new WeakMap<Principal, string>();
  return {
    tenant,
    keys,
    recordOf,
    async issue({ user, admin, lifetimeMs }) {
      assertPresent(user);
      const createdAt = now();
      const key = await keys.current();
      const record = {
        id: randomUUID(),
        user,
        admin,
        createdAt,
        expiresAt: createdAt + lifetimeMs,
        active: true,
        key: key.id,
      };
      await tokens.change(record.id, () => record);
      // The store has the pseudonym in place of an account that was erased, and the token is off.
      assertPresent((await tokens.get(record.id))?.user ?? user);
      return new SignJWT({ admin, tenant })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.id })
        .setJti(record.id)
        .setSubject(user)
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setIssuedAt(Math.floor(createdAt / 1000))
        .setExpirationTime(Math.floor(record.expiresAt / 1000))
        .sign(key.bytes);
    },
    async verify(token) {
      const { id, user, admin } = await recordOf(token);
      const principal = principalIn(tenant, user, admin ? 'admin' : 'user');
      proofs.set(principal, id);
      noteRequest({ token: id });
      return principal;
    },
    provenBy: (principal) => proofs.get(principal) ?? null,
    isActive: async (id) => (await tokens.get(id))?.active === true,
    async list() {
      const records = await tokens.list();
      const endOf = await keys.ends();
      return records
        .map((record) => ({
          ...record,
          expiresAt: Math.min(record.expiresAt, endOf(record.key) ?? record.expiresAt),
        }))
        .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
    },
    async setActive(id, active) {
      await tokens.change(id, (record) => {
        if (record !== null && active) assertPresent(record.user);
        if (record !== null) return { ...record, active };
        // The id is not repeated: who mistakes the token for its id would find the secret in the message.
        throw new AppError('unknown-token', 'There is no token with this id; the command tokens lists them.');
      });
    },
  };
}

/** Fails for a person who was erased: a token must not act as their pseudonym. */
function assertPresent(user: string): void {
  if (!isPseudonym(user)) return;
  const sentence = `'${user}' was erased and cannot have a token. Try: another user.`;
  throw new AppError('unknown-person', sentence, [], { data: { name: user } });
}

/** Tokens whose signature is remembered as verified. */
const MAX_PROVEN = 1_000;

/**
 * Reads the id of a token that is ours and has not expired. That a token is ours is found out once: the same text under
 * the same key remains so, and the signature is checked on another thread, for which each request would wait in turn.
 */
function createReadId(
  tenant: string,
  now: () => Instant,
): (token: string, key: Uint8Array) => Promise<string> {
  /** By a digest of the token, which itself is stored nowhere; `until` in seconds, as tokens have it. */
  const proven = new Map<string, { readonly id: string; readonly until: number }>();
  return async (token, key) => {
    const at = now();
    const digest = createHmac('sha256', key).update(token).digest('base64');
    const known = proven.get(digest);
    if (known !== undefined && known.until > Math.floor(at / 1000)) return known.id;
    const { jti: id = '', exp: until = 0, ...claims } = await readPayload(token, key, at);
    if ((claims.tenant ?? tenant) !== tenant) throw new NotAuthenticated('tisjwt is invalid.');
    if (proven.size >= MAX_PROVEN) for (const oldest of proven.keys().take(1)) proven.delete(oldest);
    proven.set(digest, { id, until });
    return id;
  };
}

async function readPayload(token: string, key: Uint8Array, now: Instant): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: ISSUER,
      requiredClaims: ['jti', 'sub', 'exp'],
      currentDate: new Date(now),
    });
    return payload;
  } catch (error) {
    // The reason may quote the token's own text, which belongs in no answer and in no log.
    if (error instanceof errors.JWTExpired)
      throw new NotAuthenticated('tisjwt is expired.', { lapsedOf: error.payload.sub ?? null });
    if (error instanceof errors.JOSEError) throw new NotAuthenticated('tisjwt is invalid.');
    throw error;
  }
}

/**
 * The principal could not be proved. `lapsedOf`: the user of an own token that has expired or was switched off; `advice`:
 * a sentence about what to do.
 */
export class NotAuthenticated extends AppError {
  readonly lapsedOf: string | null;

  constructor(
    sentence: string,
    {
      reason = 'invalid-token',
      lapsedOf = null,
      advice,
    }: {
      readonly reason?: 'invalid-token' | 'missing-token';
      readonly lapsedOf?: string | null;
      readonly advice?: string;
    } = {},
  ) {
    super(reason, 'Unauthorized access', advice === undefined ? [sentence] : [sentence, advice]);
    this.name = 'NotAuthenticated';
    this.lapsedOf = lapsedOf;
  }
}

/** The parts by which a principal is known: tokens, and people by login or id. */
export interface Credentials {
  readonly tokens: Tokens;
  readonly people: { users(): Promise<ReadonlyMap<string, User>> };
}

/**
 * The principal of the header `Authorization`: a token after `Bearer` or `TISJWT`, or as the password of its user in
 * `Basic` (RFC 7617), by login or id.
 */
export async function principalOfHeader(
  header: string | undefined,
  { tokens, people }: Credentials,
): Promise<Principal> {
  const [scheme = '', credentials = '', ...others] = (header ?? '').trim().split(/\s+/);
  if (others.length > 0) throw new NotAuthenticated('The header Authorization holds too much.');
  switch (scheme.toLowerCase()) {
    case 'bearer':
    case 'tisjwt':
      if (credentials === '') throw missingToken();
      return tokens.verify(credentials);
    case 'basic': {
      const { user, password } = readBasic(credentials);
      const principal = await tokens.verify(password).catch(async (error: unknown) => {
        throw (await isOfAnother(error, user, people)) ? notTheirs() : error;
      });
      if (!(await isHolder(user, principal.account, people))) throw notTheirs();
      return principal;
    }
    default:
      throw missingToken();
  }
}

/** The first sentence is that of the compatible product. */
function missingToken(): NotAuthenticated {
  return new NotAuthenticated('tisjwt is required for authentication.', {
    reason: 'missing-token',
    advice:
      'Missing token. Send `Authorization: TISJWT <token>`; create one with `npx dwell token --user NAME`.',
  });
}

/** True if a token that lapsed is another user's: a client that names the wrong user does not learn that it lapsed. */
async function isOfAnother(error: unknown, user: string, people: Credentials['people']): Promise<boolean> {
  if (!(error instanceof NotAuthenticated) || error.lapsedOf === null) return false;
  return !(await isHolder(user, error.lapsedOf, people));
}

/** True if a name means the user of a token. */
async function isHolder(user: string, holder: string, people: Credentials['people']): Promise<boolean> {
  if (user === holder) return true;
  const { idNamed, idOfHolder } = knownLogins(await people.users());
  return idNamed(user) === idOfHolder(holder);
}

function notTheirs(): NotAuthenticated {
  return new NotAuthenticated('The token is not one of the user that is named.');
}

function readBasic(credentials: string): { readonly user: string; readonly password: string } {
  const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(credentials)
    ? Buffer.from(credentials, 'base64').toString('utf8')
    : '';
  const colon = decoded.indexOf(':');
  if (colon === -1) throw new NotAuthenticated('The header Authorization cannot be read.');
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
