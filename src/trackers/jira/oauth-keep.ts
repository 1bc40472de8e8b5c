import { z } from 'zod';
import { readJson } from '../../http-client/read-json.ts';
import type { Instant } from '../../model/issue.ts';
import type { SecretKeep } from './jira-access.ts';

const TOKENS = 'jira-oauth';
const QUESTIONS = 'jira-oauth-questions';

const tokens = z.object({
  refreshToken: z.string(),
  accessToken: z.string(),
  /** An instant. */
  expiresAt: z.number(),
  cloudId: z.string(),
  /** Address people know the site by. */
  url: z.string(),
  redirectUri: z.string(),
});

const questions = z.array(z.object({ state: z.string(), until: z.number(), redirectUri: z.string() }));

/** What an admin's yes has given us. */
export type OauthTokens = Readonly<z.output<typeof tokens>>;

/** A consent page that somebody was sent to: the answer names its `state`, until that instant. */
export interface OpenQuestion {
  readonly state: string;
  readonly until: Instant;
  readonly redirectUri: string;
}

/** Tokens and open questions, as they are kept for every process on these data. */
export interface OauthKeep {
  tokens(): Promise<OauthTokens | null>;
  putTokens(tokens: OauthTokens): Promise<void>;
  questions(): Promise<readonly OpenQuestion[]>;
  putQuestions(questions: readonly OpenQuestion[]): Promise<void>;
}

/** Keeps them as JSON; whatever else stands there is taken for nothing. */
export function createOauthKeep(secrets: SecretKeep): OauthKeep {
  const read = async (name: string) => readJson((await secrets.get(name)) ?? '');
  return {
    async tokens() {
      return tokens.safeParse(await read(TOKENS)).data ?? null;
    },
    async putTokens(given) {
      await secrets.put(TOKENS, JSON.stringify(given));
    },
    async questions() {
      return questions.safeParse(await read(QUESTIONS)).data ?? [];
    },
    async putQuestions(open) {
      await secrets.put(QUESTIONS, JSON.stringify(open));
    },
  };
}
