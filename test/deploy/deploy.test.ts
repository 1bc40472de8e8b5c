import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { describe, expect, test } from '#jest';
import { DRAIN_MS } from '../../src/compose/build-dwell.ts';
import { readConfig } from '../../src/compose/config.ts';
import { settingsSchema } from '../../src/compose/settings-schema.ts';
import { routes } from '../../src/http/resources/index.ts';
import { createManifestCheck } from '../support/kubernetes-schemas.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const folder = 'deploy/kubernetes';
const files = readdirSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url)));
const kustomization = parse(read(`${folder}/kustomization.yaml`));
const manifests = files
  .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(read(`${folder}/${name}`)).map((one) => [name, one.toJS()] as const));
const [generated] = kustomization.configMapGenerator;
/** The settings of the ConfigMap that kustomize makes of a file: its lines as they are, without comments. */
const plain: Record<string, string> = Object.fromEntries(
  read(`${folder}/${generated.envs}`)
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);
const one = (kind: string) => manifests.find(([, manifest]) => manifest.kind === kind)?.[1];

const settings = Object.keys(settingsSchema.shape);
/** Settings that are secrets: only a Secret has them. */
const secrets = settings.filter((name) =>
  /SECRET|TOKEN|PASSWORD|DATABASE_URL|KEYV_URL|_PAT$|API_KEY/.test(name),
);
const check = createManifestCheck();

describe('the manifests of Kubernetes', () => {
  test.each(manifests)(
    '%s is of the schema of its kind, and has nothing that is unknown there',
    (_, manifest) => {
      expect(check(manifest)).toEqual([]);
    },
  );

  test('a manifest with an unknown member, a wrong type or of an unknown kind is found', () => {
    const budget = one('PodDisruptionBudget');
    expect(check({ ...budget, spec: { ...budget.spec, maxUnavailble: 1 } })).toEqual([
      '/spec must NOT have additional properties {"additionalProperty":"maxUnavailble"}',
    ]);
    expect(check({ ...budget, spec: { ...budget.spec, selector: 'dwell' } })).toHaveLength(1);
    expect(check({ ...budget, apiVersion: 'policy/v1beta1' })).toHaveLength(1);
  });

  test('the kustomization has every file but the example of the secrets, and names the image', () => {
    const named = [...kustomization.resources, ...generated.envs];
    expect([...named, 'kustomization.yaml', 'secrets.example.yaml'].toSorted()).toEqual(files.toSorted());
    const [container] = one('Deployment').spec.template.spec.containers;
    const { version } = JSON.parse(read('package.json'));
    expect(kustomization.images).toMatchObject([{ name: container.image, newTag: version }]);
  });

  test('its settings are known, and the secret ones are in the secret alone', () => {
    const hidden = Object.keys(one('Secret').stringData);
    expect(Object.keys(plain).filter((name) => !settings.includes(name) || secrets.includes(name))).toEqual(
      [],
    );
    expect(hidden.filter((name) => !secrets.includes(name))).toEqual([]);
    const [{ env, envFrom }] = one('Deployment').spec.template.spec.containers;
    const name = one('Secret').metadata.name;
    expect(env).toEqual(
      ['DATABASE_URL', 'SECRET_KEY'].map((key) => ({
        name: key,
        valueFrom: { secretKeyRef: { name, key } },
      })),
    );
    expect(envFrom).toEqual([{ configMapRef: { name: generated.name } }, { secretRef: { name } }]);
  });

  test('its settings start Dwell, and open the metrics to other machines on the port that the pod names', () => {
    const { stringData } = one('Secret');
    const { metrics } = readConfig({ ...stringData, ...plain, SECRET_KEY: 'a1'.repeat(32) });
    const [{ ports }] = one('Deployment').spec.template.spec.containers;
    expect(metrics).toEqual({ port: 9464, host: '0.0.0.0', token: stringData.METRICS_TOKEN });
    expect(ports).toContainEqual({ name: 'metrics', containerPort: metrics.port });
  });

  test('its probes are routes, liveness never the one that a store can fail, and it has time to stop', () => {
    const { terminationGracePeriodSeconds, containers } = one('Deployment').spec.template.spec;
    const [{ startupProbe, livenessProbe, readinessProbe, lifecycle }] = containers;
    const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path);
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz']);
    for (const path of paths) expect(routes.some((route) => route.paths.includes(path))).toBe(true);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(
      lifecycle.preStop.sleep.seconds + DRAIN_MS / 1000 + 5,
    );
  });

  test('its names and ports lead to each other and to those of the image, and its ingress takes the largest body', () => {
    const { spec } = one('Deployment').spec.template;
    const [{ ports, volumeMounts }] = spec.containers;
    const image = read('Dockerfile');
    expect(image).toContain(`EXPOSE ${ports[0].containerPort}\n`);
    expect(image).toContain(`VOLUME ${volumeMounts[0].mountPath}\n`);
    expect(image).toContain(`USER ${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}\n`);
    expect(volumeMounts.map(({ name }: { name: string }) => name)).toEqual(
      spec.volumes.map(({ name }: { name: string }) => name),
    );
    const service = one('Service');
    const [{ backend }] = one('Ingress').spec.rules[0].http.paths;
    expect(service.spec.ports[0].targetPort).toBe(ports[0].name);
    expect(backend.service).toEqual({
      name: service.metadata.name,
      port: { name: service.spec.ports[0].name },
    });
    const [, megabytes = ''] =
      /^(\d+)m$/.exec(one('Ingress').metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size']) ??
      [];
    const largest = Math.max(...routes.map(({ maxBytes = 0 }) => maxBytes));
    expect([largest, Number(megabytes) * 1024 ** 2 >= largest]).toEqual([5_000_000, true]);
    const { labels } = one('Deployment').spec.template.metadata;
    for (const selector of [
      one('Deployment').spec.selector.matchLabels,
      service.spec.selector,
      one('PodDisruptionBudget').spec.selector.matchLabels,
      one('NetworkPolicy').spec.podSelector.matchLabels,
    ])
      expect(labels).toMatchObject(selector);
  });

  test('a process of Dwell is not root, can get no right, writes nothing of its image and knows nothing of the cluster', () => {
    const { containers, securityContext, ...spec } = one('Deployment').spec.template.spec;
    expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    expect(securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(containers.map((container: { securityContext: unknown }) => container.securityContext)).toEqual([
      { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    ]);
  });

  test('the network lets in what is for its port and monitoring to the metrics, and out to names, TLS, PostgreSQL and Redis', () => {
    const { policyTypes, ingress, egress } = one('NetworkPolicy').spec;
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    const portsOf = (rules: readonly { ports: readonly { port: unknown }[] }[]) =>
      rules.map(({ ports }) => ports.map(({ port }) => port));
    expect(portsOf(ingress)).toEqual([['http'], ['metrics']]);
    expect(ingress[1].from).toEqual([
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
    ]);
    expect(portsOf(egress)).toEqual([[53, 53, 443, 5432, 6379]]);
  });
});

test('packages are of exact versions, and those of the image run nothing when they are installed', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'));
  const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([]);
  const { packages } = JSON.parse(read('package-lock.json'));
  const scripts = Object.entries<{ dev?: boolean; hasInstallScript?: boolean }>(packages)
    .filter(([, { dev, hasInstallScript }]) => !dev && hasInstallScript)
    .map(([path]) => path);
  // The script of Dwell itself, which the image starts by name.
  expect(scripts).toEqual(['']);
  expect(read('Dockerfile')).toContain('npm ci --omit=dev --ignore-scripts ');
});

describe.each(['compose.yaml', 'deploy/compose.yaml'])('%s', (path) => {
  const { services } = parse(read(path));
  const own = Object.values<Record<string, unknown>>(services).filter(({ build }) => build !== undefined);

  test('has settings that are known, and gives Dwell a file system that is only read and no rights', () => {
    expect(own.length).toBeGreaterThan(0);
    for (const { environment, ...service } of own) {
      expect(Object.keys(environment ?? {}).filter((name) => !settings.includes(name))).toEqual([]);
      expect(service).toMatchObject({
        read_only: true,
        tmpfs: expect.arrayContaining(['/tmp']),
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });
});
