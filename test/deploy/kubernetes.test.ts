import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IMAGE_SETTINGS, USER } from '../../scripts/image/image-config.ts';
import { loadConfig, readVersion, SETTINGS } from '../../src/platform/index.ts';
import { type Manifest, readKubernetes } from './manifests.ts';

const manifests = readKubernetes();
const of = (kind: string): Manifest[] => manifests.filter((one) => one.kind === kind);
const settings = of('ConfigMap')[0].data as Record<string, string>;
const workloads = [...of('Deployment'), ...of('Job')];
const pods = workloads.map(({ spec }) => spec.template);
const URLS = { DATABASE_URL: 'postgres://a:b@pooler/a', DATABASE_DIRECT_URL: 'postgres://a:b@database/a' };

test('the service accepts the settings of the manifests', () => {
  const secrets = of('Secret')[0].stringData;
  const unknown = [...Object.keys(settings), ...Object.keys(secrets)].filter((name) => !(name in SETTINGS));
  assert.deepEqual(unknown, []);
  assert.deepEqual(Object.keys(secrets), Object.keys(URLS));
  const config = loadConfig({ ...settings, ...URLS });
  assert.equal(config.siteUrl, settings.SITE_URL);
});

test('the settings agree with those of the image', () => {
  for (const [name, value] of Object.entries(IMAGE_SETTINGS)) assert.equal(settings[name], value, name);
  assert.equal(of('Job')[0].metadata.name, `almanac-migrate-${readVersion().replaceAll('.', '-')}`);
});

test('the manifests hold no secret', () => {
  for (const [name, value] of Object.entries(of('Secret')[0].stringData)) assert.equal(value, '', name);
  assert.doesNotMatch(JSON.stringify(manifests), /postgres:\/\/|BEGIN [A-Z ]*PRIVATE KEY|alm_(pat|svc)_/);
  for (const name of Object.keys(settings)) assert.doesNotMatch(name, /SECRET|KEY|PASSWORD|SMTP|DATABASE/);
});

test('the images have the version of the build, and the pods are not privileged', () => {
  assert.deepEqual(workloads.map(({ kind }) => kind).sort(), ['Deployment', 'Deployment', 'Job']);
  for (const { spec } of pods) {
    assert.equal(spec.securityContext.runAsNonRoot, true);
    assert.equal(spec.securityContext.runAsUser, USER);
    for (const container of spec.containers) {
      assert.equal(container.image, `almanac:${readVersion()}`);
      assert.equal(container.securityContext.readOnlyRootFilesystem, true);
      assert.equal(container.securityContext.allowPrivilegeEscalation, false);
      assert.deepEqual(container.securityContext.capabilities, { drop: ['ALL'] });
      assert.ok(container.resources.requests.memory && container.resources.limits.memory);
      const mounts = container.volumeMounts.map(({ mountPath }: Manifest) => mountPath);
      assert.deepEqual(mounts, [settings.ALMANAC_DATA, '/tmp'], 'what the service writes is on volumes');
    }
  }
});

test('a pod has the time of a shutdown before it is killed', () => {
  for (const { spec } of pods) {
    // The image has no other program than Node, also not "sleep".
    const [program, , script] = spec.containers[0].lifecycle?.preStop.exec.command ?? ['/usr/bin/node', '-e', ', 0)'];
    assert.equal(program, '/usr/bin/node');
    const pauseMs = Number(/, (\d+)\)$/.exec(script)?.[1]);
    assert.ok(spec.terminationGracePeriodSeconds > Number(settings.ALMANAC_SHUTDOWN_SECONDS) + pauseMs / 1000 + 5);
  }
});

test('probes and services lead to ports and paths that exist', () => {
  const ports = { http: Number(settings.PORT), metrics: Number(settings.ALMANAC_METRICS?.split(':').at(-1)) };
  for (const { spec } of pods) {
    const [container] = spec.containers;
    for (const { name, containerPort } of container.ports ?? []) {
      assert.equal(ports[name as keyof typeof ports], containerPort);
    }
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const check = container[probe]?.httpGet ?? container[probe]?.tcpSocket;
      if (check === undefined) continue;
      assert.ok(container.ports.some(({ name }: Manifest) => name === check.port));
      if ('path' in check) assert.equal(check.path, probe === 'readinessProbe' ? '/health/ready' : '/health/live');
    }
  }
  const [service] = of('Service');
  const api = pods.find(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === 'api');
  assert.deepEqual(service.spec.selector, api.metadata.labels);
  assert.ok(api.spec.containers[0].readinessProbe);
  assert.equal(service.spec.ports[0].targetPort, 'http');
});

test('selectors match the labels of their pods', () => {
  for (const { spec } of of('Deployment')) assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
  const labels = pods.map(({ metadata }) => JSON.stringify(metadata.labels));
  assert.ok(labels.includes(JSON.stringify(of('PodDisruptionBudget')[0].spec.selector.matchLabels)));
});

test('every object is in the namespace', () => {
  for (const { kind, metadata } of manifests) {
    if (kind !== 'Namespace') assert.equal(metadata.namespace, 'almanac', kind);
  }
});
