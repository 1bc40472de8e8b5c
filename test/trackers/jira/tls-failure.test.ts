import { expect, test } from '#jest';
import { tlsFailure } from '../../../src/trackers/jira/jira-failures.ts';

test.each(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'])('%s is http where https was asked for', (code) => {
  expect(tlsFailure(code)).toContain(`does not speak TLS there (${code})`);
});

test.each([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('%s is a certificate that is not trusted, and says what helps', (code) => {
  expect(tlsFailure(code)).toContain(code);
  expect(tlsFailure(code)).toContain('NODE_EXTRA_CA_CERTS');
});

test.each(['ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND', 'too slow'])('%s is not about TLS', (code) => {
  expect(tlsFailure(code)).toBeNull();
});
