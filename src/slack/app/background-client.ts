import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api';
import { AppError } from '../../model/error.ts';
import { withRateLimitRetry } from './post-message.ts';
import { isTokenLost, tokenLost } from './slack-refusal.ts';

/** No one waits for what is done in the background. */
const TIMEOUT_MS = 30_000;

/** Whether Slack still takes the app's token, as far as is known. */
export interface TokenState {
  isLost(): boolean;
  /** The app was uninstalled, or its token revoked: nothing is sent until Dwell starts again with one that works. */
  lose(): void;
}

/** A token that was accepted at the start. */
export function createTokenState(): TokenState {
  let lost = false;
  return {
    isLost: () => lost,
    lose() {
      lost = true;
    },
  };
}

/**
 * Calls to Slack without hurry. A call that Slack limits is made once more after the pause that it asks for; no other is
 * made twice, for it may have been done. Once the token is lost every call fails at once.
 */
export class BackgroundClient extends WebClient {
  readonly #state: TokenState;
  readonly #wait: (ms: number) => Promise<void>;

  constructor(
    botToken: string,
    options: WebClientOptions,
    parts: { readonly token: TokenState; readonly wait: (ms: number) => Promise<void> },
  ) {
    super(botToken, {
      ...options,
      timeout: TIMEOUT_MS,
      retryConfig: { retries: 0 },
      // The client's own way of waiting holds up all other calls.
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
    });
    this.#state = parts.token;
    this.#wait = parts.wait;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    if (this.#state.isLost()) throw new AppError('slack-unavailable', tokenLost);
    try {
      return await withRateLimitRetry(() => super.apiCall(method, options), this.#wait);
    } catch (cause) {
      if (!isTokenLost(cause)) throw cause;
      this.#state.lose();
      throw new AppError('slack-unavailable', tokenLost, [], { cause });
    }
  }
}
