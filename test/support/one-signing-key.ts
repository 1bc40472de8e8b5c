import { openSigningKeys, type SigningKeys } from '../../src/api/people/signing-keys.ts';

/** Signing keys without a store: the only one is made of a text. */
export function oneSigningKey(text: string): SigningKeys {
  const secrets = {
    get: async () => Buffer.from(text).toString('base64'),
    async change(): Promise<never> {
      throw new Error('This key is not changed.');
    },
  };
  return openSigningKeys({ secrets, now: () => 0 });
}
