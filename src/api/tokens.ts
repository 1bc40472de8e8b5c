import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { AppError } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { type Principal, principalIn } from '../model/principal.ts';
import type { TokenRecord, TokenStore } from '../store/store.ts';

const ISSUER = 'dwell';

/** Whom a token is for, what it allows, and for how long (ms). */
export interface TokenWish {
  readonly user: string;
  readonly admin: boolean;
  readonly lifetimeMs: number;
}

/** Issues and checks the tokens of the REST door. The text of a token is shown once and kept nowhere. */
export interface Tokens {
  /** Whose users they are for. */
  readonly tenant: string;
  issue(wish: TokenWish): Promise<string>;
  /** Who a token speaks for; NotAuthenticated with the reason when it does not hold. */
  verify(token: string): Promise<Principal>;
  /** The id of the token that `verify` returned this very principal for; null for any other. */
  provenBy(principal: Principal): string | null;
  /** The record of a token; it fails as `verify` does. */
  recordOf(token: string): Promise<TokenRecord>;
  /** Whether a token is switched on; expired ones are, unless they were switched off. */
  isActive(id: string): Promise<boolean>;
  /** The secret that tokens are signed with, for what else is sealed by this installation. */
  key(): Promise<Uint8Array>;
  list(): Promise<readonly TokenRecord[]>;
  /** Switches a token off or on again; `not-found` for an id that was never issued. */
  setActive(id: string, active: boolean): Promise<void>;
}

/** What tokens are made of. */
interface TokensParts {
  readonly store: TokenStore;
  readonly tenant: string;
  readonly now: () => Instant;
}

/**
 * Tokens as signed JWTs (HS256, RFC 7519) whose record in the store says whether they are switched on. Each tenant has a
 * key of its own; one that was issued before there were tenants names none.
 */
export function createTokens({ store, tenant, now }: TokensParts): Tokens {
  const key = async () =>
    Buffer.from(await store.signingKey(() => randomBytes(32).toString('base64')), 'base64');
  const readId = createReadId(tenant, now);
  const recordOf = async (token: string) => {
    const id = await readId(token, await key());
    const record = await store.get(id);
    if (record === null) throw new NotAuthenticated('tisjwt is invalid: this service never issued it.');
    if (!record.active) throw new NotAuthenticated('tisjwt is deactivated.', { lapsedOf: record.user });
    return record;
  };
  // Beside the principal and not in it: it is no part of a request, which is kept and compared.
  const proofs = new WeakMap<Principal, string>();
  return {
    tenant,
    key,
    recordOf,
    async issue({ user, admin, lifetimeMs }) {
      const createdAt = now();
      const record = {
        id: randomUUID(),
        user,
        admin,
        createdAt,
        expiresAt: createdAt + lifetimeMs,
        active: true,
      };
      await store.put(record);
      return new SignJWT({ admin, tenant })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setJti(record.id)
        .setSubject(user)
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setIssuedAt(Math.floor(createdAt / 1000))
        .setExpirationTime(Math.floor(record.expiresAt / 1000))
        .sign(await key());
    },
    async verify(token) {
      const { id, user, admin } = await recordOf(token);
      const principal = principalIn(tenant, user, admin ? 'admin' : 'user');
      proofs.set(principal, id);
      return principal;
    },
    provenBy: (principal) => proofs.get(principal) ?? null,
    isActive: async (id) => (await store.get(id))?.active === true,
    list: () => store.list(),
    async setActive(id, active) {
      if (!(await store.setActive(id, active))) {
        // The id is not repeated: whoever mistakes the token for its id would find the secret in the message.
        throw new AppError('unknown-token', 'There is no token with this id; the command tokens lists them.');
      }
    },
  };
}

/** So many tokens are known to be signed by us. */
const MOST_PROVEN = 1_000;

/**
 * Reads the id of a token that is ours and has not expired. That a token is ours is found out once: the same text under
 * the same key stays so, and the signature is checked on another thread, for which each request would wait in turn.
 */
function createReadId(
  tenant: string,
  now: () => Instant,
): (token: string, key: Uint8Array) => Promise<string> {
  /** By a digest of the token, which itself is kept nowhere; `until` in seconds, as tokens have it. */
  const proven = new Map<string, { readonly id: string; readonly until: number }>();
  return async (token, key) => {
    const at = now();
    const digest = createHmac('sha256', key).update(token).digest('base64');
    const known = proven.get(digest);
    if (known !== undefined && known.until > Math.floor(at / 1000)) return known.id;
    const { jti: id = '', exp: until = 0, ...claims } = await readPayload(token, key, at);
    if ((claims.tenant ?? tenant) !== tenant) throw new NotAuthenticated('tisjwt is invalid.');
    if (proven.size >= MOST_PROVEN) for (const oldest of proven.keys().take(1)) proven.delete(oldest);
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
 * Who asks could not be proved; `lapsedOf`: whose the token of ours is that has expired or was switched off; `advice`: a
 * sentence that says what to do.
 */
export class NotAuthenticated extends AppError {
  readonly lapsedOf: string | null;

  constructor(
    reason: string,
    { lapsedOf = null, advice }: { readonly lapsedOf?: string | null; readonly advice?: string } = {},
  ) {
    super('not-authenticated', 'Unauthorized access', advice === undefined ? [reason] : [reason, advice]);
    this.name = 'NotAuthenticated';
    this.lapsedOf = lapsedOf;
  }
}
