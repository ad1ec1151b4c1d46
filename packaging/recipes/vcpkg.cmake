# ports/utf8ext/portfile.cmake of a registry of vcpkg. utf8ext.so is a plug-in that programs load, so
# it is one in a static triplet too.
set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled)
set(VCPKG_BUILD_TYPE release)

vcpkg_download_distfile(ARCHIVE
  URLS "@SOURCE@"
  FILENAME "utf8ext-source-@VERSION@.tar.gz"
  SHA512 @SHA512@
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

vcpkg_execute_required_process(
  COMMAND sh -c "@BUILD@ PREFIX='${CURRENT_PACKAGES_DIR}' CPPFLAGS='-I${CURRENT_INSTALLED_DIR}/include'"
  WORKING_DIRECTORY "${SOURCE_PATH}"
  LOGNAME "install-${TARGET_TRIPLET}"
)

vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
