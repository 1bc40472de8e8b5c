/** How TLS ends that was never begun over there. */
const notSpoken: ReadonlySet<string> = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER']);

/** How Node calls certificates that it does not trust (tls, "X509 certificate error codes"). */
const untrusted =
  /^(?:CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

/** Why there is no TLS with whoever is there, as what follows on a name; null: that is not what went wrong. */
export function tlsFailure(code: string): string | null {
  if (notSpoken.has(code))
    return `does not speak TLS there (${code}): it may be http:// in place of https://.`;
  if (untrusted.test(code)) {
    return `shows a certificate that is not trusted here (${code}): if an authority of your own has signed it, name its file in NODE_EXTRA_CA_CERTS.`;
  }
  if (code.startsWith('ERR_SSL_')) return `does not agree with us about TLS (${code}).`;
  return null;
}
