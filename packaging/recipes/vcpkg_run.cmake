# vcpkg_run.cmake: runs a portfile in a folder with the sources, as vcpkg would.
#
#     cmake -DPORTFILE=FILE -DARCHIVE_FILE=FILE -DSOURCES=FOLDER -DPREFIX=FOLDER -DINCLUDE=FOLDER -P vcpkg_run.cmake
cmake_minimum_required(VERSION 3.16)
set(CURRENT_PACKAGES_DIR "${PREFIX}")
set(CURRENT_INSTALLED_DIR "${INCLUDE}")
set(TARGET_TRIPLET test)

function(vcpkg_download_distfile variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "URLS;FILENAME;SHA512" "")
  file(SHA512 "${ARCHIVE_FILE}" hash)
  if(NOT hash STREQUAL arg_SHA512 OR NOT arg_URLS MATCHES "/${arg_FILENAME}$")
    message(FATAL_ERROR "${arg_URLS}: another file, ${hash}")
  endif()
  set(${variable} "${ARCHIVE_FILE}" PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive variable)
  set(${variable} "${SOURCES}" PARENT_SCOPE)
endfunction()

function(vcpkg_execute_required_process)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "WORKING_DIRECTORY;LOGNAME" "COMMAND")
  execute_process(COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${arg_WORKING_DIRECTORY}" RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${arg_COMMAND}: ${failed}")
  endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(COPY ${arg_FILE_LIST} DESTINATION "${PREFIX}/share/utf8ext")
endfunction()

include("${PORTFILE}")
