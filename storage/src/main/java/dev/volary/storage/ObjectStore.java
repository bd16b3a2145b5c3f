// SPDX-License-Identifier: Apache-2.0
package dev.volary.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Objects in a bucket of a store that speaks the S3 API. The store compares each object with the MD5 digest that is sent before
 * the object counts.
 */
public final class ObjectStore implements BlobStore {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private final ObjectStoreSettings settings;
    private final S3Client client;

    private ObjectStore(ObjectStoreSettings settings, S3Client client) {
        this.settings = settings;
        this.client = client;
    }

    /**
     * Opens a store; sends nothing yet.
     *
     * @throws StorageRefusedException if the credentials lack a file or a certificate is damaged
     * @throws IOException if the credentials cannot be read
     */
    public static ObjectStore open(ObjectStoreSettings settings) throws IOException {
        UrlConnectionHttpClient.Builder http = UrlConnectionHttpClient.builder();
        Optional<Path> authority =
                settings.credentials().map(folder -> folder.resolve("ca.crt")).filter(Files::isRegularFile);
        if (authority.isPresent()) {
            var trust = CertificateFile.trustManagers(authority.get());
            http.tlsTrustManagersProvider(() -> trust);
        }
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(http)
                .region(Region.of(settings.region().orElse("us-east-1")))
                .credentialsProvider(credentials(settings))
                // Not every store that speaks the S3 API knows the newer checksums; all know Content-MD5.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        settings.endpoint()
                .ifPresent(endpoint -> builder.endpointOverride(endpoint).forcePathStyle(true));
        return new ObjectStore(settings, builder.build());
    }

    /** Files are read for each request: a Secret may be replaced while the store is open. */
    private static AwsCredentialsProvider credentials(ObjectStoreSettings settings) throws IOException {
        if (settings.credentials().isEmpty()) {
            return DefaultCredentialsProvider.builder().build();
        }
        Path folder = settings.credentials().get();
        var _ = credentials(folder); // a missing one is found now
        return () -> {
            try {
                return credentials(folder);
            } catch (IOException e) {
                throw SdkClientException.create(String.valueOf(e.getMessage()), e);
            }
        };
    }

    private static AwsCredentials credentials(Path folder) throws IOException {
        String id = secret(folder, "accessKeyId");
        String key = secret(folder, "secretAccessKey");
        return Files.exists(folder.resolve("sessionToken"))
                ? AwsSessionCredentials.create(id, key, secret(folder, "sessionToken"))
                : AwsBasicCredentials.create(id, key);
    }

    private static String secret(Path folder, String name) throws IOException {
        try {
            return Files.readString(folder.resolve(name)).strip();
        } catch (NoSuchFileException e) {
            throw new StorageRefusedException(
                    "the credentials of the object store lack " + name
                            + "; their Secret must have accessKeyId and secretAccessKey",
                    e);
        }
    }

    @Override
    public void put(String key, Content content) throws IOException {
        long bytes = content.bytes();
        String md5 = md5(content);
        RequestBody body = RequestBody.fromContentProvider(() -> opened(content), bytes, "application/octet-stream");
        call(
                key,
                () -> client.putObject(
                        PutObjectRequest.builder()
                                .bucket(settings.bucket())
                                .key(settings.prefix() + key)
                                .contentMD5(md5)
                                .build(),
                        body));
    }

    private static InputStream opened(Content content) {
        try {
            return content.open();
        } catch (IOException e) {
            throw SdkClientException.create("what is to be stored cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public OpenBlob open(String key) throws IOException {
        return call(key, () -> {
            ResponseInputStream<GetObjectResponse> object = client.getObject(
                    request -> request.bucket(settings.bucket()).key(settings.prefix() + key));
            return new OpenBlob(object.response().contentLength(), object);
        });
    }

    @Override
    public List<Blob> list(String prefix) throws IOException {
        return call(prefix, () -> {
            List<Blob> found = new ArrayList<>();
            client.listObjectsV2Paginator(
                            request -> request.bucket(settings.bucket()).prefix(settings.prefix() + prefix))
                    .contents()
                    .forEach(object -> found.add(
                            new Blob(object.key().substring(settings.prefix().length()), object.size())));
            return List.copyOf(found);
        });
    }

    @Override
    public void delete(String key) throws IOException {
        call(
                key,
                () -> client.deleteObject(
                        request -> request.bucket(settings.bucket()).key(settings.prefix() + key)));
    }

    @Override
    public String location(String key) {
        return "s3://" + settings.bucket() + "/" + settings.prefix() + key;
    }

    private <T> T call(String key, Supplier<T> request) throws IOException {
        try {
            return request.get();
        } catch (NoSuchKeyException e) {
            NoSuchFileException absent = new NoSuchFileException(location(key));
            absent.initCause(e);
            throw absent;
        } catch (S3Exception e) {
            throw failure(key, e);
        } catch (SdkException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof StorageRefusedException refused) {
                    throw refused; // of the credentials
                }
            }
            String remedy = settings.endpoint()
                    .map(endpoint -> "; check the endpoint " + endpoint + " and its certificate")
                    .orElse("");
            throw new IOException(location(key) + " cannot be reached: " + cause(e) + remedy, e);
        }
    }

    private IOException failure(String key, S3Exception e) {
        String answer = location(key) + ": the object store answers " + e.statusCode() + " ("
                + (e.awsErrorDetails() == null
                        ? e.getMessage()
                        : e.awsErrorDetails().errorCode() + ": "
                                + e.awsErrorDetails().errorMessage())
                + ")";
        return switch (e.statusCode()) {
            case FORBIDDEN, UNAUTHORIZED ->
                new StorageRefusedException(answer + "; check the credentials and their rights to the bucket", e);
            case NOT_FOUND ->
                new StorageRefusedException(answer + "; create the bucket, or correct its name or the endpoint", e);
            case BAD_REQUEST -> new StorageRefusedException(answer + "; check the bucket and the region", e);
            default -> new IOException(answer, e);
        };
    }

    /** The innermost cause that says something: the SDK wraps what happened. */
    private static String cause(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return innermost.getClass().getSimpleName() + ": " + innermost.getMessage();
    }

    private static String md5(Content content) throws IOException {
        MessageDigest digest = md5();
        try (InputStream in = content.open()) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return Base64.getEncoder().encodeToString(digest.digest());
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
